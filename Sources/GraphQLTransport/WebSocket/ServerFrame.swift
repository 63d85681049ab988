import NIOCore
import NIOWebSocket

/// Encodes a frame as a server sends it: a whole message, not masked. A message for many sockets is encoded once, while
/// `WebSocketFrameEncoder` would encode it for each.
/// RFC 6455, 5.2 Base Framing Protocol
enum ServerFrame {
    static func text(_ message: ByteBuffer) -> ByteBuffer { frame(.text, message) }

    static func frame(_ opcode: WebSocketOpcode, _ data: ByteBuffer) -> ByteBuffer {
        let length = data.readableBytes
        var frame = ByteBufferAllocator().buffer(capacity: length + 10)
        frame.writeInteger(0x80 | UInt8(webSocketOpcode: opcode))
        switch length {
        case ..<126: frame.writeInteger(UInt8(length))
        case ...Int(UInt16.max):
            frame.writeInteger(126 as UInt8)
            frame.writeInteger(UInt16(length))
        default:
            frame.writeInteger(127 as UInt8)
            frame.writeInteger(UInt64(length))
        }
        frame.writeImmutableBuffer(data)
        return frame
    }
}

import NIOCore
import NIOWebSocket

/// Assembles a client's messages from frames, and reports violations of the protocol.
/// RFC 6455, 5.4 Fragmentation and 5.5 Control Frames
struct MessageAssembler {
    enum Event: Equatable {
        case none
        case text(ByteBuffer)
        case ping(ByteBuffer)
        case pong
        case close(UInt16)
        case violation(CloseReason)
    }

    private let maxSize: Int
    private let maxFragments: Int
    private var message: ByteBuffer?
    private var fragments = 0

    init(maxSize: Int, maxFragments: Int) {
        self.maxSize = maxSize
        self.maxFragments = maxFragments
    }

    mutating func receive(_ frame: WebSocketFrame) -> Event {
        if frame.maskKey == nil { return .violation(.protocolError("Frames of a client are masked")) }
        if !frame.reservedBits.isEmpty { return .violation(.protocolError("No extension was agreed on")) }
        switch frame.opcode {
        case .text:
            if message != nil { return .violation(.protocolError("A message begins inside of another")) }
            if frame.fin && frame.data.readableBytes <= maxSize { return .text(frame.unmaskedData) }
            return begin(frame)
        case .continuation: return `continue`(frame)
        case .binary: return .violation(.invalidMessage("Messages are text"))
        case .ping: return .ping(frame.unmaskedData)
        case .pong: return .pong
        case .connectionClose: return close(frame.unmaskedData)
        default: return .violation(.protocolError("Unknown opcode"))
        }
    }

    private mutating func begin(_ frame: WebSocketFrame) -> Event {
        message = frame.unmaskedData
        fragments = 1
        return frame.data.readableBytes > maxSize ? .violation(.messageTooBig) : .none
    }

    private mutating func `continue`(_ frame: WebSocketFrame) -> Event {
        guard var message else { return .violation(.protocolError("There is no message to continue")) }
        // The buffer must have one owner, or each fragment would copy all fragments before it.
        self.message = nil
        fragments += 1
        var data = frame.unmaskedData
        if message.readableBytes + data.readableBytes > maxSize || fragments > maxFragments {
            return .violation(.messageTooBig)
        }
        message.writeBuffer(&data)
        if frame.fin { return .text(message) }
        self.message = message
        return .none
    }

    /// RFC 6455, 7.4.1 Defined Status Codes and 7.4.2 Reserved Status Code Ranges
    private func close(_ data: ByteBuffer) -> Event {
        var data = data
        if data.readableBytes == 0 { return .close(1000) }
        guard let code = data.readInteger(as: UInt16.self) else {
            return .violation(.protocolError("A close frame's code has two bytes"))
        }
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: break
        default: return .violation(.protocolError("No such close code"))
        }
        // RFC 6455, 5.5.1 Close: the reason is UTF-8.
        let isUTF8 = String(validating: data.readableBytesView, as: UTF8.self) != nil
        return isUTF8 ? .close(code) : .violation(.notUTF8)
    }
}

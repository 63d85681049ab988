import NIOCore
import NIOWebSocket
import Testing

@testable import GraphQLTransport

@Suite struct ServerFrameTests {
    /// RFC 6455, 5.2: the shortest form of the length, big-endian, and no mask.
    @Test(
        arguments: [
            (0, [0x81, 0]), (1, [0x81, 1]), (125, [0x81, 125]), (126, [0x81, 126, 0, 126]),
            (65_535, [0x81, 126, 0xFF, 0xFF]), (65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] as [(Int, [UInt8])])
    func theLengthIsWrittenBeforeTheData(length: Int, head: [UInt8]) {
        let data = [UInt8](repeating: UInt8(ascii: "a"), count: length)
        let frame = ServerFrame.text(ByteBuffer(bytes: data))
        #expect(Array(buffer: frame) == head + data)
    }

    @Test(
        arguments: [(WebSocketOpcode.ping, 0x89), (.pong, 0x8A), (.connectionClose, 0x88)] as [(WebSocketOpcode, UInt8)]
    )
    func controlFramesToo(opcode: WebSocketOpcode, first: UInt8) {
        #expect(Array(buffer: ServerFrame.frame(opcode, ByteBuffer(bytes: [1, 2]))) == [first, 2, 1, 2])
    }
}

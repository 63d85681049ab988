import NIOCore
import NIOWebSocket
import Testing

@testable import GraphQLTransport

struct MessageAssemblerTests {
    private var assembler = MessageAssembler(maxSize: 10, maxFragments: 3)

    private func frame(_ opcode: WebSocketOpcode, _ text: String = "", fin: Bool = true) -> WebSocketFrame {
        WebSocketFrame(fin: fin, opcode: opcode, maskKey: [0, 0, 0, 0], data: ByteBuffer(string: text))
    }

    @Test mutating func putsFragmentsTogether() {
        #expect(assembler.receive(frame(.text, "whole")) == .text(ByteBuffer(string: "whole")))
        #expect(assembler.receive(frame(.text, "a", fin: false)) == .none)
        // Control frames come between.
        #expect(assembler.receive(frame(.ping, "p")) == .ping(ByteBuffer(string: "p")))
        #expect(assembler.receive(frame(.continuation, "b", fin: false)) == .none)
        #expect(assembler.receive(frame(.continuation, "c")) == .text(ByteBuffer(string: "abc")))
        #expect(assembler.receive(frame(.text, "next")) == .text(ByteBuffer(string: "next")))
    }

    @Test mutating func boundsSizeAndFragments() {
        #expect(assembler.receive(frame(.text, "0123456789")) == .text(ByteBuffer(string: "0123456789")))
        #expect(assembler.receive(frame(.text, "0123456789a")) == .violation(.messageTooBig))
        var long = MessageAssembler(maxSize: 10, maxFragments: 3)
        #expect(long.receive(frame(.text, "012345", fin: false)) == .none)
        #expect(long.receive(frame(.continuation, "67890")) == .violation(.messageTooBig))
        var many = MessageAssembler(maxSize: 10, maxFragments: 3)
        #expect(many.receive(frame(.text, fin: false)) == .none)
        #expect(many.receive(frame(.continuation, fin: false)) == .none)
        #expect(many.receive(frame(.continuation, fin: false)) == .none)
        #expect(many.receive(frame(.continuation, fin: false)) == .violation(.messageTooBig))
    }

    @Test mutating func wantsMessagesOneAfterAnother() {
        guard case .violation(let early) = assembler.receive(frame(.continuation, "a")) else {
            Issue.record("nothing to continue")
            return
        }
        #expect(early.code == 1002)
        _ = assembler.receive(frame(.text, "a", fin: false))
        guard case .violation(let nested) = assembler.receive(frame(.text, "b")) else {
            Issue.record("nested")
            return
        }
        #expect(nested.code == 1002)
    }

    @Test mutating func refusesWhatNoClientMaySend() {
        let unmasked = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: "a"))
        var reserved = frame(.text, "a")
        reserved.rsv1 = true
        for (frame, code) in [
            (unmasked, 1002), (reserved, 1002), (frame(.binary, "a"), 4400),
            (frame(WebSocketOpcode(encodedWebSocketOpcode: 3)!), 1002),
            (frame(WebSocketOpcode(encodedWebSocketOpcode: 11)!), 1002),
        ] {
            guard case .violation(let reason) = assembler.receive(frame) else {
                Issue.record("\(frame) is taken")
                continue
            }
            #expect(reason.code == UInt16(code))
        }
    }

    /// RFC 6455, 5.5.1 Close and 8.1 Handling of Errors in UTF-8-Encoded Data
    @Test mutating func wantsACloseReasonInUTF8() {
        let data = ByteBuffer(bytes: [0x03, 0xE8, 0x41, 0xC3])
        let frame = WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: [0, 0, 0, 0], data: data)
        #expect(assembler.receive(frame) == .violation(.notUTF8))
    }

    @Test(arguments: [
        (1000, true), (1001, true), (3000, true), (4999, true), (1005, false), (1006, false), (999, false),
        (1015, false), (5000, false),
    ])
    mutating func readsCloseCodes(_ code: Int, _ isFine: Bool) {
        var data = ByteBuffer()
        data.writeInteger(UInt16(code))
        let event = assembler.receive(
            WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: [0, 0, 0, 0], data: data))
        #expect((event == .close(UInt16(code))) == isFine)
        data.writeString("é")
        let reason = WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: [0, 0, 0, 0], data: data)
        #expect((assembler.receive(reason) == .close(UInt16(code))) == isFine)
        #expect(assembler.receive(frame(.connectionClose)) == .close(1000))
        #expect(
            assembler.receive(frame(.connectionClose, "x"))
                == .violation(.protocolError("A close frame's code has two bytes")))
    }
}

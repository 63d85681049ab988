import GraphQL
import Synchronization
import TestSupport

/// A client of graphql-transport-ws with one subscription.
final class LiveSocket: Sendable {
    private let socket: LoopbackSocket
    private let messages = Mutex<[String]>([])

    /// - Parameter answersPings: a client that does not breaks the protocol, as one whose device sleeps.
    init(_ replica: Replica, as token: String, answersPings: Bool, _ subscription: String) async throws {
        let socket = try LoopbackSocket(port: replica.port)
        self.socket = socket
        socket.send(
            Array(
                """
                GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
                Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n
                """.utf8))
        socket.readInBackground { [self] bytes in
            // The head of the answer, then frames.
            if bytes.starts(with: "HTTP/".utf8) {
                guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
                bytes.removeSubrange(..<end.upperBound)
            }
            while let message = Self.takeMessage(&bytes) { receive(message, answersPings: answersPings) }
        }
        send(#"{"type":"connection_init","payload":{"accessToken":"\#(token)"}}"#)
        try await eventually("connection_ack, after \(all)") { has("connection_ack") }
        send(#"{"id":"1","type":"subscribe","payload":{"query":"subscription { \#(subscription) }"}}"#)
        // An operation that is sent after it is answered after it.
        send(#"{"id":"2","type":"subscribe","payload":{"query":"{ __typename }"}}"#)
        try await eventually("the answer, after \(all)") { has(#"{"id":"2","type":"complete"}"#) }
    }

    /// Whether a message has this text in it.
    func has(_ text: String) -> Bool { all.contains { $0.contains(text) } }

    /// What came so far.
    var all: [String] { messages.withLock { $0 } }

    func close() { socket.shutdown() }

    private func receive(_ message: String, answersPings: Bool) {
        messages.withLock { $0.append(message) }
        if answersPings, message.hasPrefix(#"{"type":"ping""#) {
            send(message.replacing(#""type":"ping""#, with: #""type":"pong""#))
        }
    }

    /// RFC 6455, 5.2 Base Framing Protocol: FIN and text, masked.
    private func send(_ text: String) {
        let payload = Array(text.utf8)
        let length: [UInt8] =
            payload.count < 126
            ? [0x80 | UInt8(payload.count)] : [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        let key: [UInt8] = [1, 2, 3, 4]
        var frame: [UInt8] = [0x81]
        frame += length
        frame += key
        for (index, byte) in payload.enumerated() { frame.append(byte ^ key[index & 3]) }
        socket.send(frame)
    }

    /// The next text of a server's frames; the payloads of other frames are passed over.
    private static func takeMessage(_ bytes: inout [UInt8]) -> String? {
        while bytes.count >= 2 {
            var start = 2
            var length = Int(bytes[1] & 0x7F)
            if length >= 126 {
                let size = length == 126 ? 2 : 8
                guard bytes.count >= 2 + size else { return nil }
                length = bytes[2..<(2 + size)].reduce(0) { $0 << 8 | Int($1) }
                start += size
            }
            guard bytes.count >= start + length else { return nil }
            let isText = bytes[0] & 15 == 1
            let payload = bytes[start..<(start + length)]
            let text = String(decoding: payload, as: UTF8.self)
            bytes.removeSubrange(..<(start + length))
            if isText { return text }
        }
        return nil
    }
}

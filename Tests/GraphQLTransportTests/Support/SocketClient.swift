import GraphQL
import NIOCore
import TestSupport

/// A WebSocket client that can also do what none should.
struct SocketClient {
    enum Incoming: Equatable {
        case text(String)
        case ping, pong
        case close(Int, String)
        case end
    }

    var connection: RawConnection
    private var buffer = ByteBuffer()

    init(_ connection: RawConnection) { self.connection = connection }

    /// The status of the answer; 101 for an open socket.
    mutating func handshake(
        subprotocol: String? = "graphql-transport-ws", _ headers: [(String, String)] = [], early: [UInt8] = []
    ) async throws -> Int {
        var text = "GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        text += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        if let subprotocol { text += "Sec-WebSocket-Protocol: \(subprotocol)\r\n" }
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        try await connection.outbound.write(ByteBuffer(bytes: Array((text + "\r\n").utf8) + early))
        while true {
            let bytes = buffer.readableBytesView
            if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
                buffer.moveReaderIndex(to: end.upperBound)
                return Int(head.split(separator: " ")[1]) ?? 0
            }
            guard try await receive() else { throw ConnectionEnded(received: String(buffer: buffer)) }
        }
    }

    /// Handshake, `connection_init`, `connection_ack`.
    mutating func open(payload: String = "{}", _ headers: [(String, String)] = []) async throws {
        guard try await handshake(headers) == 101 else { throw ConnectionEnded(received: "no 101") }
        try await send(#"{"type":"connection_init","payload":\#(payload)}"#)
        guard try await message() == #"{"type":"connection_ack"}"# else { throw ConnectionEnded(received: "no ack") }
    }

    func send(_ text: String) async throws { try await sendFrame(0x81, Array(text.utf8)) }

    func subscribe(_ id: String, _ query: String) async throws {
        try await send(#"{"id":"\#(id)","type":"subscribe","payload":{"query":"\#(query)"}}"#)
    }

    /// - Parameter first: the frame's first byte: FIN, reserved bits, opcode.
    func sendFrame(_ first: UInt8, _ payload: [UInt8], isMasked: Bool = true) async throws {
        try await connection.outbound.write(ByteBuffer(bytes: Self.frame(first, payload, isMasked: isMasked)))
    }

    static func frame(_ first: UInt8, _ payload: [UInt8], isMasked: Bool = true) -> [UInt8] {
        var bytes = [first]
        let mask: UInt8 = isMasked ? 0x80 : 0
        switch payload.count {
        case ..<126: bytes.append(mask | UInt8(payload.count))
        case ..<65_536: bytes += [mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        default:
            bytes.append(mask | 127)
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(payload.count >> shift & 255)) }
        }
        guard isMasked else { return bytes + payload }
        let key: [UInt8] = [7, 77, 177, 1]
        return bytes + key + payload.enumerated().map { $1 ^ key[$0 & 3] }
    }

    /// The next message, past pings.
    mutating func message() async throws -> String {
        while true {
            switch try await next() {
            case .text(#"{"type":"ping"}"#), .ping, .pong: continue
            case .text(let text): return text
            case .close(let code, let reason): return "\(code): \(reason)"
            case .end: return "end"
            }
        }
    }

    mutating func next() async throws -> Incoming {
        while true {
            if let incoming = parse() { return incoming }
            guard try await receive() else { return .end }
        }
    }

    private mutating func receive() async throws -> Bool {
        guard var bytes = try? await connection.inbound.next() else { return false }
        buffer.writeBuffer(&bytes)
        return true
    }

    private mutating func parse() -> Incoming? {
        var bytes = buffer
        guard let first = bytes.readInteger(as: UInt8.self), let second = bytes.readInteger(as: UInt8.self) else {
            return nil
        }
        var length = Int(second)
        if length == 126 {
            guard let long = bytes.readInteger(as: UInt16.self) else { return nil }
            length = Int(long)
        } else if length == 127 {
            guard let long = bytes.readInteger(as: UInt64.self) else { return nil }
            length = Int(long)
        }
        guard var payload = bytes.readSlice(length: length) else { return nil }
        buffer = bytes
        switch first & 15 {
        case 1: return .text(String(buffer: payload))
        case 8:
            let code = payload.readInteger(as: UInt16.self).map { Int($0) } ?? 1005
            return .close(code, String(buffer: payload))
        case 9: return .ping
        default: return .pong
        }
    }
}

extension TestServer {
    func socket<Result: Sendable>(
        _ body: @Sendable (inout SocketClient) async throws -> Result
    ) async throws -> Result {
        try await connect { (connection) async throws in
            var client = SocketClient(connection)
            return try await body(&client)
        }
    }

    /// Whether a metric has a value.
    /// - Parameter sample: a line of the metrics.
    func has(_ sample: String) -> Bool { metrics.text.contains("\n\(sample)\n") }

    /// Waits for a metric to have a value.
    /// - Parameter sample: a line of the metrics.
    func reaches(_ sample: String, fileID: StaticString = #fileID, line: UInt = #line) async throws {
        let name = sample.prefix { $0 != "{" && $0 != " " }
        func samples() -> [Substring] { metrics.text.split(separator: "\n").filter { $0.hasPrefix(name) } }
        try await eventually("\(sample) among \(samples())", fileID: fileID, line: line) {
            has(sample)
        }
    }
}

import NIOCore

/// Reads a response while it goes on.
struct StreamClient {
    var connection: RawConnection
    private var received = ByteBuffer()
    /// The body so far, without what was taken of it.
    private var body = ""
    private var isAtEnd = false

    init(_ connection: RawConnection) { self.connection = connection }

    mutating func send(
        _ method: String, _ target: String, _ headers: [(String, String)] = [], body: String = ""
    ) async throws -> HTTPReply {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        try await connection.write(text + "\r\n" + body)
        return try await head()
    }

    /// A GraphQL request by POST.
    mutating func post(_ query: String, accept: String, _ headers: [(String, String)] = []) async throws -> HTTPReply {
        try await send(
            "POST", "/graphql", [("Content-Type", "application/json"), ("Accept", accept)] + headers,
            body: #"{"query":"\#(query)"}"#)
    }

    /// The head alone; where the response has a length, its body too.
    private mutating func head() async throws -> HTTPReply {
        while true {
            let bytes = received.readableBytesView
            if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: bytes[..<end.upperBound], as: UTF8.self)
                if head.lowercased().contains("transfer-encoding: chunked") {
                    received.moveReaderIndex(to: end.upperBound)
                    let sized = head.dropLast(2) + "Content-Length: 0\r\n\r\n"
                    guard let (reply, _) = HTTPReply.parse(sized.withoutChunking, method: "GET") else { break }
                    return reply
                }
                if let (reply, rest) = HTTPReply.parse(String(buffer: received), method: "GET") {
                    received = ByteBuffer(string: rest)
                    return reply
                }
            }
            guard try await receive() else { break }
        }
        throw ConnectionEnded(received: String(buffer: received))
    }

    /// What comes up to the end of a text; what there is where the response ends before.
    mutating func take(through end: String) async throws -> String {
        while true {
            if let found = body.ranges(of: end).first {
                defer { body = String(body[found.upperBound...]) }
                return String(body[..<found.upperBound])
            }
            if isAtEnd {
                defer { body = "" }
                return body
            }
            if !readChunk(), try await !receive() { isAtEnd = true }
        }
    }

    /// One server-sent event, past comments.
    mutating func event() async throws -> String {
        while true {
            let event = try await take(through: "\n\n")
            if !event.hasPrefix(":") { return event }
        }
    }

    /// Everything up to the response's end.
    mutating func rest() async throws -> String {
        while !isAtEnd {
            if !readChunk(), try await !receive() { isAtEnd = true }
        }
        defer {
            body = ""
            isAtEnd = false
        }
        return body
    }

    private mutating func readChunk() -> Bool {
        var bytes = received
        let view = bytes.readableBytesView
        guard let end = view.firstRange(of: Array("\r\n".utf8)),
            let size = Int(String(decoding: view[..<end.lowerBound], as: UTF8.self), radix: 16)
        else { return false }
        bytes.moveReaderIndex(to: end.upperBound)
        guard let chunk = bytes.readString(length: size), bytes.readString(length: 2) != nil else { return false }
        received = bytes
        if size == 0 { isAtEnd = true }
        body += chunk
        return true
    }

    private mutating func receive() async throws -> Bool {
        guard var bytes = try? await connection.inbound.next() else { return false }
        received.writeBuffer(&bytes)
        return true
    }
}

extension StringProtocol {
    /// So that the head parses as that of a response without a body.
    fileprivate var withoutChunking: String {
        split(separator: "\r\n", omittingEmptySubsequences: false)
            .filter { !$0.lowercased().hasPrefix("transfer-encoding") }.joined(separator: "\r\n")
    }
}

extension TestServer {
    func stream<Result: Sendable>(
        _ body: @Sendable (inout StreamClient) async throws -> Result
    ) async throws -> Result {
        try await connect { (connection) async throws in
            var client = StreamClient(connection)
            return try await body(&client)
        }
    }
}

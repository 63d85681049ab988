import GraphQL
import NIOCore

/// Bytes as a client of its own making would send and read them.
struct RawConnection {
    var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var buffer = ""

    init(
        inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
        outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.inbound = inbound
        self.outbound = outbound
    }

    func write(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    /// The next reply. Throws `ConnectionEnded` where the server closes before its end.
    mutating func reply(to method: String = "POST") async throws -> HTTPReply {
        while true {
            if let (reply, rest) = HTTPReply.parse(buffer, method: method) {
                buffer = rest
                return reply
            }
            guard let bytes = try await inbound.next() else { throw ConnectionEnded(received: buffer) }
            buffer += String(buffer: bytes)
        }
    }

    /// Everything until the server closes; a reset counts as that.
    mutating func rest() async -> String {
        while let bytes = try? await inbound.next() { buffer += String(buffer: bytes) }
        return buffer
    }
}

struct ConnectionEnded: Error { let received: String }

struct HTTPReply: Sendable {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: String

    subscript(name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

    /// The body as JSON; null where it is none.
    var json: InputValue { (try? parseJSON(Array(body.utf8))) ?? .null }

    var data: InputValue? { json["data"] }
    var errorCodes: [String] { errors.compactMap { $0["extensions"]?["code"].text } }
    var messages: [String] { errors.compactMap { $0["message"].text } }
    private var errors: [InputValue] { if case .list(let errors)? = json["errors"] { errors } else { [] } }

    /// nil while the reply is not whole.
    static func parse(_ text: String, method: String) -> (HTTPReply, rest: String)? {
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        let headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (name: String(parts[0]), value: parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
        }
        guard let status = Int(lines[0].split(separator: " ")[1]) else { return nil }
        let after = text[end.upperBound...]
        func value(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }
        if method == "HEAD" || status == 204 || status < 200 {
            return (HTTPReply(status: status, headers: headers, body: ""), String(after))
        }
        if value("transfer-encoding") == "chunked" {
            guard let (body, rest) = chunks(after) else { return nil }
            return (HTTPReply(status: status, headers: headers, body: body), rest)
        }
        let length = value("content-length").flatMap { Int($0) } ?? 0
        guard after.utf8.count >= length else { return nil }
        let body = String(decoding: after.utf8.prefix(length), as: UTF8.self)
        return (
            HTTPReply(status: status, headers: headers, body: body),
            String(decoding: after.utf8.dropFirst(length), as: UTF8.self)
        )
    }

    private static func chunks(_ text: Substring) -> (body: String, rest: String)? {
        var body = [UInt8]()
        var rest = Array(text.utf8)[...]
        while let lineEnd = rest.firstIndex(of: UInt8(ascii: "\r")) {
            guard let size = Int(String(decoding: rest[..<lineEnd], as: UTF8.self), radix: 16),
                rest.endIndex >= lineEnd + 2 + size + 2
            else { return nil }
            body += rest[(lineEnd + 2)..<(lineEnd + 2 + size)]
            rest = rest[(lineEnd + 2 + size + 2)...]
            if size == 0 { return (String(decoding: body, as: UTF8.self), String(decoding: rest, as: UTF8.self)) }
        }
        return nil
    }
}

extension InputValue {
    subscript(name: String) -> InputValue? { if case .object(let object) = self { object[name] } else { nil } }
}

extension String {
    /// The first place of a text, without Foundation.
    fileprivate func range(of text: String) -> Range<String.Index>? { ranges(of: text).first }
}

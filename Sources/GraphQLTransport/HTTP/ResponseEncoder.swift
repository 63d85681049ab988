import HTTPTypes
import NIOCore
import NIOHTTP1

/// Encodes the heads of streamed and routed responses, and answers in one piece.
/// RFC 9112, 4 Status Line and 5 Field Syntax
struct ResponseEncoder: Sendable {
    let crossOrigin: CrossOriginPolicy
    private let date = DateHeader()

    init(crossOrigin: CrossOriginPolicy) { self.crossOrigin = crossOrigin }

    /// Encodes head and body in one buffer, so that one write sends both.
    /// - Parameter head: nil where no request head could be read.
    func encode(
        _ answer: GraphQLAnswer, to head: RequestHead?, _ nextStep: HTTPConnectionState.NextStep
    ) -> ByteBuffer {
        var bytes = ByteBufferAllocator().buffer(capacity: 512 + answer.body.count)
        bytes.writeStatusLine(answer.status)
        if !answer.contentType.isEmpty { bytes.writeField("Content-Type", answer.contentType) }
        bytes.writeBytes(answer.isHTML ? SecurityHeaders.pageBytes : SecurityHeaders.bytes)
        writeCommonFields(&bytes, to: head, closes: nextStep == .linger)
        for (name, value) in answer.headers { bytes.writeField(name, value) }
        if answer.status != .noContent {
            bytes.writeStaticString("Content-Length: ")
            bytes.writeDecimal(answer.body.count)
            bytes.writeStaticString("\r\n")
        }
        bytes.writeStaticString("\r\n")
        if head?.method != .HEAD { bytes.writeBytes(answer.body) }
        return bytes
    }

    /// The head of a streamed response.
    func encodeHead(
        contentType: String, headers: [(name: String, value: String)], _ framing: ResponseFraming, to head: RequestHead,
        closes: Bool
    ) -> ByteBuffer {
        var bytes = ByteBufferAllocator().buffer(capacity: 512)
        bytes.writeStatusLine(.ok)
        bytes.writeField("Content-Type", contentType)
        bytes.writeBytes(SecurityHeaders.bytes)
        // A proxy that buffers the answer would make the client wait for its end.
        bytes.writeStaticString("X-Accel-Buffering: no\r\n")
        for (name, value) in headers { bytes.writeField(name, value) }
        writeCommonFields(&bytes, to: head, closes: closes)
        bytes.writeStaticString(framing.field)
        bytes.writeStaticString("\r\n")
        return bytes
    }

    /// The head of a router's response, whose own header fields take precedence over the default ones.
    func encodeHead(
        _ response: HTTPResponse, _ framing: ResponseFraming, to head: RequestHead, closes: Bool
    ) -> ByteBuffer {
        var bytes = ByteBufferAllocator().buffer(capacity: 512)
        bytes.writeStatusLine(response.httpStatus)
        bytes.writeStaticString(framing.field)
        for field in response.headerFields where field.name != .connection && field.name != .date {
            bytes.writeField(field.name.rawName, field.value)
        }
        for (name, value) in SecurityHeaders.defaults {
            guard let field = HTTPField.Name(name), response.headerFields[field] == nil else { continue }
            bytes.writeField(name, value)
        }
        writeCommonFields(&bytes, to: head, closes: closes)
        bytes.writeStaticString("\r\n")
        return bytes
    }

    /// RFC 9110, 15.2 Informational 1xx
    func encodeInformational(_ response: HTTPResponse) -> ByteBuffer {
        var bytes = ByteBufferAllocator().buffer(capacity: 128)
        bytes.writeStatusLine(response.httpStatus)
        for field in response.headerFields where field.name != .connection && field.name != .date {
            bytes.writeField(field.name.rawName, field.value)
        }
        bytes.writeStaticString("\r\n")
        return bytes
    }

    /// Writes the Date, X-Request-Id, CORS and Connection fields.
    private func writeCommonFields(_ bytes: inout ByteBuffer, to head: RequestHead?, closes: Bool) {
        bytes.writeBytes(date.line)
        if let head {
            bytes.writeStaticString("X-Request-Id: ")
            bytes.writeString(head.requestID.description)
            bytes.writeStaticString("\r\n")
        }
        if crossOrigin.origins != .none {
            for (name, value) in crossOrigin.headers(origin: head?.origin) { bytes.writeField(name, value) }
        }
        if closes {
            bytes.writeStaticString("Connection: close\r\n")
        } else if head?.isHTTP10 == true {
            bytes.writeStaticString("Connection: keep-alive\r\n")
        }
    }
}

extension HTTPResponse {
    var httpStatus: HTTPResponseStatus {
        HTTPResponseStatus(statusCode: status.code, reasonPhrase: status.reasonPhrase)
    }
}

extension ByteBuffer {
    mutating func writeStatusLine(_ status: HTTPResponseStatus) {
        if status == .ok {
            writeStaticString("HTTP/1.1 200 OK\r\n")
        } else {
            writeString("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
        }
    }

    /// The value's control characters become spaces, so that no value can begin a field of its own.
    mutating func writeField(_ name: String, _ value: String) {
        writeString(name)
        writeStaticString(": ")
        let start = readableBytes
        writeString(value)
        withUnsafeMutableReadableBytes { bytes in
            for index in start..<bytes.count where bytes[index] < 0x20 || bytes[index] == 0x7F {
                bytes[index] = UInt8(ascii: " ")
            }
        }
        writeStaticString("\r\n")
    }

    fileprivate mutating func writeDecimal(_ number: Int) {
        var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
        var rest = number
        var start = 24
        withUnsafeMutableBytes(of: &digits) { bytes in
            repeat {
                start -= 1
                bytes[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            _ = writeBytes(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        }
    }
}

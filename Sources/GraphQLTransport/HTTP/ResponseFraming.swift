import HTTPTypes
import NIOCore

/// How a client knows where a response's body ends.
/// RFC 9112, 6.3 Message Body Length
enum ResponseFraming {
    /// The response has no body. In the answer to a HEAD request, the head may still give a Content-Length.
    case none
    /// The head gives the body's length.
    case length
    case chunked
    /// The end of the connection ends the body. HTTP/1.0 clients get a body of unknown length in this framing, because
    /// they know no chunks.
    case close

    /// The framing of a body whose length is not known in advance.
    init(ofStreamTo head: RequestHead) { self = head.isHTTP10 ? .close : .chunked }

    init(of response: HTTPResponse, to head: RequestHead) {
        if head.method == .HEAD || response.status == .noContent || response.status == .notModified {
            self = .none
        } else if response.headerFields[.contentLength] != nil {
            self = .length
        } else {
            self.init(ofStreamTo: head)
        }
    }

    /// The Transfer-Encoding line with its CRLF; empty for a body that is not chunked.
    var field: StaticString { self == .chunked ? "Transfer-Encoding: chunked\r\n" : "" }

    /// A part of the body as it is sent; nil where there is nothing to send.
    /// RFC 9112, 7.1 Chunked Transfer Coding
    func encode(_ part: ByteBuffer) -> ByteBuffer? {
        // A chunk of length zero would end the body.
        if self == .none || part.readableBytes == 0 { return nil }
        guard self == .chunked else { return part }
        var chunk = ByteBufferAllocator().buffer(capacity: part.readableBytes + 16)
        chunk.writeString(String(part.readableBytes, radix: 16))
        chunk.writeStaticString("\r\n")
        chunk.writeImmutableBuffer(part)
        chunk.writeStaticString("\r\n")
        return chunk
    }

    /// The bytes after the last part of the body; nil where nothing follows it.
    var end: ByteBuffer? { self == .chunked ? Self.lastChunk : nil }

    private static let lastChunk = ByteBuffer(string: "0\r\n\r\n")
}

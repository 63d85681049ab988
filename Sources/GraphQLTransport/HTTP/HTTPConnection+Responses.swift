import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// What is under way of a response that the router writes.
struct RoutedResponse {
    var isHeadWritten = false
    var isFinished = false
    var isChunked = false
    var hasBody = true
    var status = HTTPResponseStatus.ok
}

extension HTTPConnection {
    /// Head and body in one buffer, so that they leave in one packet.
    func encode(_ answer: GraphQLAnswer) -> ByteBuffer {
        var bytes = ByteBufferAllocator().buffer(capacity: 512 + answer.body.count)
        bytes.writeStatusLine(answer.status)
        if !answer.contentType.isEmpty { bytes.writeField("Content-Type", answer.contentType) }
        bytes.writeBytes(answer.isPage ? SecurityHeaders.pageBytes : SecurityHeaders.bytes)
        writeCommonFields(&bytes)
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

    /// Date, the request's id, CORS, and what becomes of the connection.
    func writeCommonFields(_ bytes: inout ByteBuffer) {
        bytes.writeBytes(date.line)
        if let head {
            bytes.writeStaticString("X-Request-Id: ")
            bytes.writeString(head.requestID.description)
            bytes.writeStaticString("\r\n")
        }
        if settings.crossOrigin.origins != .none {
            for (name, value) in settings.crossOrigin.headers(origin: head?.origin) { bytes.writeField(name, value) }
        }
        if closesAfterAnswer {
            bytes.writeStaticString("Connection: close\r\n")
        } else if head?.isHTTP10 == true {
            bytes.writeStaticString("Connection: keep-alive\r\n")
        }
    }

    // MARK: - From the router

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .routing = phase else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let response): write(response, context, promise)
        case .body(let bytes): write(bytes, context, promise)
        case .end: writeEnd(context, promise)
        }
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        noteWrite()
    }

    private func write(_ response: HTTPResponse, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        let status = HTTPResponseStatus(statusCode: response.status.code, reasonPhrase: response.status.reasonPhrase)
        var bytes = context.channel.allocator.buffer(capacity: 512)
        bytes.writeStatusLine(status)
        if response.status.kind != .informational { prepareBody(response, &bytes) }
        for field in response.headerFields where field.name != .connection && field.name != .date {
            bytes.writeField(field.name.rawName, field.value)
        }
        if response.status.kind != .informational {
            for (name, value) in SecurityHeaders.defaults {
                guard let field = HTTPField.Name(name), response.headerFields[field] == nil else { continue }
                bytes.writeField(name, value)
            }
            writeCommonFields(&bytes)
            routedResponse.isHeadWritten = true
            routedResponse.status = status
        }
        bytes.writeStaticString("\r\n")
        context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: promise)
    }

    /// RFC 9112, 6.3 Message Body Length
    private func prepareBody(_ response: HTTPResponse, _ bytes: inout ByteBuffer) {
        if head?.method == .HEAD || response.status == .noContent || response.status == .notModified {
            routedResponse.hasBody = false
        } else if response.headerFields[.contentLength] == nil {
            if head?.isHTTP10 == true {
                closesAfterAnswer = true
            } else {
                routedResponse.isChunked = true
                bytes.writeStaticString("Transfer-Encoding: chunked\r\n")
            }
        }
    }

    /// RFC 9112, 7.1 Chunked Transfer Coding
    private func write(_ body: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        guard routedResponse.hasBody, body.readableBytes > 0 else {
            promise?.succeed()
            return
        }
        guard routedResponse.isChunked else {
            return context.write(wrapOutboundOut(.byteBuffer(body)), promise: promise)
        }
        let size = ByteBuffer(string: String(body.readableBytes, radix: 16) + "\r\n")
        context.write(wrapOutboundOut(.byteBuffer(size)), promise: nil)
        context.write(wrapOutboundOut(.byteBuffer(body)), promise: nil)
        context.write(wrapOutboundOut(.byteBuffer(ByteBuffer(string: "\r\n"))), promise: promise)
    }

    private func writeEnd(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        if routedResponse.isChunked {
            context.write(wrapOutboundOut(.byteBuffer(ByteBuffer(string: "0\r\n\r\n"))), promise: promise)
        } else {
            promise?.succeed()
        }
        context.flush()
        routedResponse.isFinished = true
        routedPartFinished(context)
    }

    /// The next request begins when this one was read to its end and answered.
    func routedPartFinished(_ context: ChannelHandlerContext) {
        guard case .routing(isReceived: let isReceived) = phase, routedResponse.isFinished else { return }
        guard isReceived || closesAfterAnswer else { return }
        if let head { telemetry.record(nil, status: routedResponse.status, head: head, since: startedAt) }
        requestFinished(context)
        takeParts(context)
    }
}

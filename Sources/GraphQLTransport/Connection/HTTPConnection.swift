import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// One HTTP/1.1 connection: answers GraphQL requests itself, on the event loop and in one write, and hands all others
/// on to the router behind it. Requests are taken one after another; what a client pipelines waits.
///
/// In: `HTTPServerRequestPart` from NIO's decoder. Out: bytes. Towards the router: `HTTPRequestPart` and
/// `HTTPResponsePart`.
final class HTTPConnection: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = IOData

    enum Phase {
        /// Between two requests.
        case idle
        /// A GraphQL request's body is coming in.
        case receiving
        /// The endpoint works on the answer.
        case executing
        /// The answer has begun, and goes on.
        case streaming
        /// The router has the request; `isReceived` once its last part was handed on.
        case routing(isReceived: Bool)
        /// The client asked for another protocol; it begins once the request has ended.
        case upgrading(HTTPRequestHead)
        /// The connection is no longer HTTP's.
        case upgraded
        /// The last answer is out; what still comes in is thrown away until the client hangs up.
        case lingering
    }

    let endpoint: any GraphQLEndpoint
    let settings: ServerSettings
    let telemetry: Telemetry
    let date: DateHeader
    /// Those of single connection mode, over all connections.
    let eventStreams: EventStreams
    private let connections: OpenConnections
    let place: ConnectionPlace
    /// Puts the router's handlers behind this one, once a connection needs them.
    private let attachRouter: (ChannelHandlerContext) throws -> Void
    let onUpgrade: (any Channel) -> Void

    var phase = Phase.idle
    var context: ChannelHandlerContext?
    var head: RequestHead?
    var body = ByteBuffer()
    /// Reads the body in place of `body` where it is a multipart one.
    var multipart: MultipartRequestReader?
    /// Decided by the head alone; told when the body is in, so that a client that still writes can read it.
    var refusal: GraphQLAnswer?
    var startedAt = NIODeadline.distantPast
    var task: Task<Void, Never>?
    var stream: HTTPStream?
    /// Tells a late answer from the one that is awaited.
    var requestCount = 0
    var closesAfterAnswer = false
    var isDraining = false
    /// As the channel told last: asking it costs more.
    private(set) var isWritable = true
    var routedResponse = RoutedResponse()
    var deadlines = ConnectionDeadlines()
    private(set) var executor: EventLoopExecutor?
    /// Whether the present request is one of single connection mode.
    private var isForEventStreams = false
    private var isRouterAttached = false
    private var peerAddress = ""
    private var waiting = CircularBuffer<HTTPServerRequestPart>()
    private var isReadHeld = false
    private var isTakingParts = false
    private var hasHandedOn = false
    /// Of the head that the decoder told last.
    private var framing: BodyFraming?

    init(
        endpoint: any GraphQLEndpoint, settings: ServerSettings, telemetry: Telemetry, date: DateHeader,
        eventStreams: EventStreams, connections: OpenConnections, place: ConnectionPlace,
        attachRouter: @escaping (ChannelHandlerContext) throws -> Void,
        onUpgrade: @escaping (any Channel) -> Void
    ) {
        self.endpoint = endpoint
        self.settings = settings
        self.telemetry = telemetry
        self.date = date
        self.eventStreams = eventStreams
        self.connections = connections
        self.place = place
        self.attachRouter = attachRouter
        self.onUpgrade = onUpgrade
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        executor = .of(context.eventLoop)
        peerAddress = context.channel.remoteAddress?.ipAddress ?? "local"
        telemetry.connections.increment()
        startDeadlines(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        telemetry.connections.decrement()
        stopDeadlines()
        releaseStream()
        task?.cancel()
    }

    // MARK: - Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if case .head(let head) = part { framing = BodyFraming(head) }
        // Most parts are taken as they come: the queue is for what a client pipelines.
        if waiting.isEmpty && !isTakingParts && takesPart {
            isTakingParts = true
            take(part, context)
            isTakingParts = false
            if waiting.isEmpty && !hasHandedOn { return }
        } else {
            waiting.append(part)
        }
        takeParts(context)
    }

    /// Reading goes on while a request is worked on, so that a client that hangs up is noticed, but not without bound.
    func read(context: ChannelHandlerContext) {
        if waiting.count > 16 { isReadHeld = true } else { context.read() }
    }

    func takeParts(_ context: ChannelHandlerContext) {
        if isTakingParts { return }
        isTakingParts = true
        while takesPart, let part = waiting.popFirst() { take(part, context) }
        isTakingParts = false
        if hasHandedOn {
            hasHandedOn = false
            context.fireChannelReadComplete()
        }
        if isReadHeld && waiting.count <= 16 && self.context != nil {
            isReadHeld = false
            context.read()
        }
    }

    /// Nothing new begins while the client leaves earlier answers unread.
    private var takesPart: Bool {
        switch phase {
        case .idle: isWritable
        case .receiving, .routing(isReceived: false), .upgrading, .lingering: true
        case .executing, .streaming, .routing(isReceived: true), .upgraded: false
        }
    }

    private func take(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch (phase, part) {
        case (.idle, .head(let head)): begin(head, context)
        case (.receiving, .body(let bytes)): receive(bytes, context)
        case (.receiving, .end): execute(context)
        case (.upgrading(let request), .end): upgrade(request, context)
        case (.routing, .body(let bytes)): handOn(.body(bytes), context)
        case (.routing, .end):
            phase = .routing(isReceived: true)
            handOn(.end(nil), context)
            routedPartFinished(context)
        default: break
        }
    }

    /// The router hears of it from `takeParts`, since its parts may also come out of the queue.
    func channelReadComplete(context: ChannelHandlerContext) {}

    // MARK: - A request

    private func begin(_ httpHead: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let head = RequestHead(httpHead, peerAddress: peerAddress, trustedProxies: settings.trustedProxies)
        self.head = head
        startedAt = .now()
        deadlines.header = .distantFuture
        // After a request that offers another protocol the decoder reads no other.
        closesAfterAnswer = isDraining || place.isAtDoor || !head.isKeepAlive || head.upgrade != nil
        requestCount &+= 1
        if !head.isHTTP10 && head.hostCount != 1 {
            return write(.refusal(.badRequest, "A request names its host once."), context, isLast: true)
        }
        if head.hasUnknownTransferCoding {
            return write(.refusal(.notImplemented, "The only transfer coding is chunked."), context, isLast: true)
        }
        if place.isAtDoor && !OperationalRoutes.probes.contains(where: head.isFor) {
            return write(.overloaded("There are too many connections."), context, isLast: true)
        }
        if !connections.begin(place, from: head.clientAddress) {
            return begin(refusing: .overloaded("There are too many requests under way from this address."))
        }
        if let preflight = preflightAnswer(head) { return begin(refusing: preflight) }
        isForEventStreams = head.isFor(settings.eventStreamPath)
        guard isForEventStreams || head.isFor(settings.path) else { return route(httpHead, head, context) }
        if !isForEventStreams && WebSocketHandshake.isAskedFor(by: head) { return beginUpgrade(httpHead, head) }

        refusal = isForEventStreams ? EventStreamRules.refusal(of: head, by: endpoint) : endpoint.refusal(of: head)
        multipart = refusal == nil ? settings.multipartReader(for: head) : nil
        let limit = multipart == nil ? settings.limits.bodySize : settings.uploads?.bodySize ?? 0
        if let length = head.contentLength, length > limit {
            return write(refusal ?? .refusal(.payloadTooLarge, Self.tooLarge(limit)), context, isLast: true)
        }
        if head.expectsContinue {
            context.writeAndFlush(
                wrapOutboundOut(.byteBuffer(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n"))), promise: nil)
        }
        body.clear()
        phase = .receiving
        deadlines.current = startedAt + settings.limits.bodyTimeout
    }

    func begin(refusing answer: GraphQLAnswer) {
        refusal = answer
        body.clear()
        phase = .receiving
        deadlines.current = .now() + settings.limits.bodyTimeout
    }

    private func receive(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        if multipart != nil {
            do { try multipart?.read(Array(buffer: bytes)) } catch {
                write(.refusal(error.status, error.message), context, isLast: true)
            }
            return
        }
        var bytes = bytes
        if body.readableBytes + bytes.readableBytes > settings.limits.bodySize {
            let tooLarge = GraphQLAnswer.refusal(.payloadTooLarge, Self.tooLarge(settings.limits.bodySize))
            return write(refusal ?? tooLarge, context, isLast: true)
        }
        if body.readableBytes == 0 { body = bytes } else { body.writeBuffer(&bytes) }
    }

    private func execute(_ context: ChannelHandlerContext) {
        if let refusal {
            self.refusal = nil
            return write(refusal, context)
        }
        guard let head else { return }
        let body: RequestBody
        do { body = try takeBody() } catch { return write(.refusal(error.status, error.message), context) }
        if isForEventStreams { return executeForEventStream(head, body, context) }
        if let accept = head.accept, head.method != .HEAD, StreamFormat.isNamed(accept: accept),
            executeStream(head, body, accept: accept, context)
        {
            return
        }
        switch endpoint.answer(head, body: body) {
        case .ready(let answer): write(answer, context)
        case .waiting(let answer): wait(for: answer, context)
        }
    }

    private func wait(for answer: @escaping @Sendable () async -> GraphQLAnswer, _ context: ChannelHandlerContext) {
        phase = .executing
        deadlines.current = .now() + settings.limits.executionTimeout
        let count = requestCount
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        let task = Task.immediate(executorPreference: executor) {
            let answer = await answer()
            if eventLoop.inEventLoop {
                connection.value.finish(answer, of: count)
            } else {
                eventLoop.execute { connection.value.finish(answer, of: count) }
            }
        }
        if case .executing = phase, count == requestCount { self.task = task }
    }

    private func takeBody() throws(MultipartError) -> RequestBody {
        defer {
            body = ByteBuffer()
            multipart = nil
        }
        guard var reader = multipart else { return .bytes(body) }
        return .multipart(try reader.finish())
    }

    func finish(_ answer: GraphQLAnswer, of count: Int, isOperation: Bool = true) {
        guard case .executing = phase, count == requestCount, let context else { return }
        task = nil
        write(answer, context, isOperation: isOperation)
        takeParts(context)
    }

    /// - Parameter isOperation: whether it is to be counted as one.
    func write(
        _ answer: GraphQLAnswer, _ context: ChannelHandlerContext, isLast: Bool = false, isOperation: Bool = true
    ) {
        if isLast || answer.closesConnection { closesAfterAnswer = true }
        let bytes = encode(answer)
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
        noteWrite()
        if let head, !answer.isTurnedAway {
            telemetry.record(isOperation ? answer.summary : nil, status: answer.status, head: head, since: startedAt)
        }
        requestFinished(context)
    }

    func requestFinished(_ context: ChannelHandlerContext) {
        connections.end(place)
        head = nil
        refusal = nil
        multipart = nil
        if closesAfterAnswer {
            linger(context)
        } else {
            phase = .idle
            deadlines.requestFinished(idle: settings.limits.idleTimeout)
        }
    }

    /// Closes so that the client can read the answer: closing with unread bytes would reset the connection.
    /// RFC 9112, 9.6 Tear-down
    func linger(_ context: ChannelHandlerContext) {
        phase = .lingering
        deadlines.current = .now() + .seconds(2)
        context.close(mode: .output, promise: nil)
    }

    private func preflightAnswer(_ head: RequestHead) -> GraphQLAnswer? {
        guard head.method == .OPTIONS, head.origin != nil, head["access-control-request-method"] != nil else {
            return nil
        }
        return GraphQLAnswer(
            status: .noContent, contentType: "", headers: settings.crossOrigin.preflightHeaders(origin: head.origin),
            body: [])
    }

    // MARK: - The router's requests

    private func route(_ httpHead: HTTPRequestHead, _ head: RequestHead, _ context: ChannelHandlerContext) {
        guard let request = try? HTTPRequest(httpHead, secure: false, splitCookie: false) else {
            return write(.refusal(.badRequest, "The request is malformed."), context, isLast: true)
        }
        do {
            if !isRouterAttached {
                try attachRouter(context)
                isRouterAttached = true
            }
        } catch {
            return context.close(promise: nil)
        }
        phase = .routing(isReceived: false)
        deadlines.current = .now() + settings.limits.bodyTimeout
        routedResponse = RoutedResponse()
        handOn(.head(request), context)
    }

    private func handOn(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        hasHandedOn = true
        context.fireChannelRead(wrapInboundOut(part))
    }

    // MARK: - Events

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: drain(context)
        case ChannelEvent.inputClosed:
            switch phase {
            // Whoever listens keeps his side open too, so this is the end of a listener.
            case .idle, .receiving, .streaming, .upgrading, .upgraded, .lingering: context.close(promise: nil)
            case .executing: closesAfterAnswer = true
            case .routing:
                closesAfterAnswer = true
                context.fireUserInboundEventTriggered(event)
            }
        default: if isRouterAttached { context.fireUserInboundEventTriggered(event) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        releaseStream()
        task?.cancel()
        waiting.removeAll()
        phase = .lingering
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        noteWrite()
        if isWritable {
            writeEvents()
            takeParts(context)
        }
        context.fireChannelWritabilityChanged()
    }

    /// The decoder gives up: nothing after this can be told apart.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError, context.channel.isActive else { return context.close(promise: nil) }
        if case HTTPParserError.headerOverflow? = error as? HTTPParserError {
            refuseRest(.refusal(.requestHeaderFieldsTooLarge, "The header fields are too large."), context)
        } else {
            refuseRest(.refusal(.badRequest, "The request is malformed."), context)
        }
    }

    func refuseFraming(_ message: String) {
        if let context { refuseRest(.refusal(.badRequest, message), context) }
    }

    /// Of the head that was told last; nil where there was none since.
    func takeFraming() -> BodyFraming? {
        defer { framing = nil }
        return framing
    }

    private func refuseRest(_ answer: @autoclosure () -> GraphQLAnswer, _ context: ChannelHandlerContext) {
        switch phase {
        case .lingering, .upgraded: return
        case .idle, .receiving, .upgrading:
            startedAt = .now()
            write(answer(), context, isLast: true)
        case .executing, .streaming, .routing:
            closesAfterAnswer = true
        }
    }

    private static func tooLarge(_ limit: Int) -> String { "The body is larger than \(limit) bytes." }
}

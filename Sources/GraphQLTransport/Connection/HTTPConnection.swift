import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// The channel handler that carries out the actions of `HTTPConnectionState`. It answers GraphQL requests itself, on
/// the event loop and in one write. Requests for other paths go to the router behind it.
///
/// In: `HTTPServerRequestPart` from NIO's decoder. Out: bytes. Towards the router: `HTTPRequestPart` and
/// `HTTPResponsePart`.
final class HTTPConnection: ChannelDuplexHandler, RemovableChannelHandler, Ticking {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = IOData

    /// The request under way.
    private struct Exchange {
        let head: RequestHead
        let startedAt: NIODeadline
        /// graphql-sse, Single connection mode
        var isForEventStreams = false
    }

    let environment: TransportEnvironment
    private let place: ConnectionPlace
    /// Adds the router's handlers behind this one; called before the connection's first request to the router.
    private let attachRouter: (ChannelHandlerContext) throws -> Void
    /// Called after the connection's upgrade to another protocol.
    private let onUpgrade: (any Channel) -> Void

    private(set) var state: HTTPConnectionState
    private(set) var context: ChannelHandlerContext?
    private var executor: EventLoopExecutor?
    private var peerAddress = ""
    private var exchange: Exchange?
    private var body = RequestBodyReader()
    /// The task that produces the answer to the request under way.
    private var task: Task<Void, Never>?
    private var stream: StreamedResponse?
    private var routedResponse = RoutedResponse()
    private var isRouterAttached = false
    private var hasHandedOn = false
    private var isTakingParts = false
    /// The framing of the body behind the head that was decoded last.
    private var framing: BodyFraming?

    init(
        _ environment: TransportEnvironment, place: ConnectionPlace,
        attachRouter: @escaping (ChannelHandlerContext) throws -> Void, onUpgrade: @escaping (any Channel) -> Void
    ) {
        self.environment = environment
        self.place = place
        self.attachRouter = attachRouter
        self.onUpgrade = onUpgrade
        state = HTTPConnectionState(
            limits: environment.settings.limits, streamKeepAlive: environment.settings.streams.keepAlive,
            isOverflow: place.isOverflow, at: .now())
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        peerAddress = context.channel.remoteAddress?.ipAddress ?? "local"
        environment.telemetry.connections.increment()
        let executor = EventLoopExecutor.of(context.eventLoop)
        executor.clock.add(self)
        self.executor = executor
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        environment.telemetry.connections.decrement()
        executor?.clock.remove(self)
        stopWorking()
    }

    func channelInactive(context: ChannelHandlerContext) {
        stopWorking()
        state.closed()
        context.fireChannelInactive()
    }

    private func stopWorking() {
        releaseStream()
        task?.cancel()
        task = nil
    }

    // MARK: - Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if case .head(let head) = part { framing = BodyFraming(head) }
        if isTakingParts { return state.queue(part) }
        isTakingParts = true
        perform(state.received(part), context)
        isTakingParts = false
        if state.hasWaitingParts || hasHandedOn { takeParts(context) }
    }

    func read(context: ChannelHandlerContext) { if state.readRequested() { context.read() } }

    private func takeParts(_ context: ChannelHandlerContext) {
        if isTakingParts { return }
        isTakingParts = true
        while true {
            let action = state.next()
            if case .none = action { break }
            perform(action, context)
        }
        isTakingParts = false
        if hasHandedOn {
            hasHandedOn = false
            context.fireChannelReadComplete()
        }
        if self.context != nil && state.resumesReading() { context.read() }
    }

    /// The event stops here. `takeParts` fires it for the router instead, since the router's parts may also come out of
    /// the queue.
    func channelReadComplete(context: ChannelHandlerContext) {}

    /// Called by `RequestFraming` for bytes of a head, since the decoder reports a head only when it is whole.
    func bytesArrived() { state.bytesArrived(at: .now()) }

    /// Called by `RequestFraming` when the body's framing breaks a limit.
    func violated(_ refusal: HTTPConnectionState.Refusal) {
        if let context { perform(state.violated(refusal), context) }
    }

    /// The framing of the body behind the head that was decoded last; nil where no head was decoded since the last call.
    func takeFraming() -> BodyFraming? {
        defer { framing = nil }
        return framing
    }

    // MARK: - Actions

    private func perform(_ action: HTTPConnectionState.Action, _ context: ChannelHandlerContext) {
        switch action {
        case .none: break
        case .begin(let head): begin(head, context)
        case .receive(let bytes):
            do { try body.read(bytes) } catch { answer(error.answer, context, isLast: true) }
        case .execute: execute(context)
        case .routeBody(let bytes): forward(.body(bytes), context)
        case .routeEnd:
            forward(.end(nil), context)
            finishRouting(context)
        case .upgrade(let request): upgrade(request, context)
        case .refuse(let refusal): answer(refusal.answer, context, isLast: true)
        case .timeOut:
            stopWorking()
            if let exchange { answer(environment.endpoint.timeout(of: exchange.head), context) }
            takeParts(context)
        case .keepStreamAlive: stream?.keepAlive()
        case .drainStream: stream?.drain()
        case .closeRouterInput: context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        case .close: context.close(promise: nil)
        }
    }

    private func begin(_ request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let head = RequestHead(request, peerAddress: peerAddress, proxies: environment.settings.proxies)
        if let hop = head.unreadableHop { environment.telemetry.warn(of: hop, from: peerAddress) }
        let now = NIODeadline.now()
        // The decoder reads no further request after one with an Upgrade header.
        state.requestBegins(keepsAlive: head.isKeepAlive && head.upgrade == nil)
        let destination = RequestDestination(
            of: head, environment, isOverflow: place.isOverflow, isDraining: state.isDraining,
            isWithinLimits: { environment.connections.begin(place, from: head.clientAddress) })
        exchange = Exchange(head: head, startedAt: now)
        switch destination {
        case .endpoint(let body): receive(body, of: head, at: now, context)
        case .eventStreams(let body):
            exchange?.isForEventStreams = true
            receive(body, of: head, at: now, context)
        case .refusal(let refusal): answer(refusal, context, isLast: true)
        case .webSocket: state.awaitsBody(for: .upgrade(request), at: now)
        case .router: route(request, at: now, context)
        }
    }

    private func receive(
        _ body: RequestBodyReader, of head: RequestHead, at now: NIODeadline, _ context: ChannelHandlerContext
    ) {
        self.body = body
        state.awaitsBody(for: .endpoint, at: now)
        if head.expectsContinue {
            let bytes = ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")
            context.writeAndFlush(wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
        }
    }

    private func execute(_ context: ChannelHandlerContext) {
        guard let head = exchange?.head, let isForEventStreams = exchange?.isForEventStreams else { return }
        let reader = self.body
        self.body = RequestBodyReader()
        let body: RequestBody
        do { body = try reader.finish() } catch { return answer(error.answer, context) }
        if isForEventStreams { return executeForEventStream(head, body, context) }
        if head.method != .HEAD, head.accepted.namesStream, startStream(head, body, context) { return }
        switch environment.endpoint.answer(head, body: body) {
        case .ready(let answer): self.answer(answer, context)
        case .waiting(let answer): wait(for: answer, context)
        }
    }

    // MARK: - Answers in one piece

    /// - Parameter isOperation: whether the answer is to be counted as an operation's.
    private func wait(
        for answer: @escaping @Sendable () async -> GraphQLAnswer, _ context: ChannelHandlerContext,
        isOperation: Bool = true
    ) {
        let request = state.executes(until: .now() + environment.settings.limits.executionTimeout)
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        let task = Task.immediate(executorPreference: executor) {
            let answer = await answer()
            eventLoop.performSoon { connection.value.finish(answer, of: request, isOperation: isOperation) }
        }
        if state.isAwaited(request) { self.task = task }
    }

    /// - Returns: whether the client still waited for the answer.
    @discardableResult
    func finish(_ answer: GraphQLAnswer, of request: Int, isOperation: Bool) -> Bool {
        guard state.isAwaited(request), let context else { return false }
        task = nil
        self.answer(answer, context, isOperation: isOperation)
        takeParts(context)
        return true
    }

    private func answer(
        _ answer: GraphQLAnswer, _ context: ChannelHandlerContext, isLast: Bool = false, isOperation: Bool = true
    ) {
        let exchange = self.exchange.take()
        let nextStep = state.answers(isLast: isLast || answer.closesConnection, at: .now())
        let bytes = environment.responses.encode(answer, to: exchange?.head, nextStep)
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
        state.wrote(at: .now())
        let isCounted = !answer.isOverLimit
        finish(
            isCounted ? exchange : nil, answer.status, operation: isOperation ? answer.summary : nil, nextStep,
            context)
    }

    /// Counts and logs the request whose answer was written.
    /// - Parameter exchange: nil where the request is not counted.
    private func finish(
        _ exchange: Exchange?, _ status: HTTPResponseStatus, operation: OperationSummary? = nil,
        _ nextStep: HTTPConnectionState.NextStep, _ context: ChannelHandlerContext
    ) {
        if let exchange {
            environment.telemetry.record(operation, status: status, head: exchange.head, since: exchange.startedAt)
        }
        environment.connections.end(place)
        if nextStep == .linger { context.close(mode: .output, promise: nil) }
    }

    // MARK: - Streamed answers

    /// - Returns: false where the request is answered in one piece.
    private func startStream(_ head: RequestHead, _ body: RequestBody, _ context: ChannelHandlerContext) -> Bool {
        let endpoint = environment.endpoint
        guard let executor, let request = try? endpoint.request(head, body) else { return false }
        let format = head.accepted.streamFormat(
            type: { endpoint.operationType(of: request) }, isIncremental: { endpoint.isIncremental(request) })
        guard let format else { return false }
        let head = head.forStream(format)
        if format == .eventStream, head.endsReconnects {
            answer(.endOfReconnects, context, isOperation: false)
            return true
        }
        // The operation has a deadline of its own.
        _ = state.executes(until: .distantFuture)
        let stream = StreamedResponse(format, to: head, over: self, queue: EventQueue(environment.settings.streams))
        self.stream = stream
        stream.start(request, on: executor)
        return true
    }

    /// Sends an answer in one piece in place of a stream that has not begun. The stream has already counted the
    /// operation.
    func answerInstead(_ answer: GraphQLAnswer) {
        releaseStream()
        guard let context else { return }
        self.answer(answer, context, isOperation: false)
        takeParts(context)
    }

    /// - Parameter isLast: whether the end of the connection marks the end of the response.
    func beginStream(isLast: Bool) { state.streams(isLast: isLast, at: .now()) }

    func write(_ bytes: ByteBuffer) { context?.write(wrapOutboundOut(.byteBuffer(bytes)), promise: nil) }

    func flush() {
        context?.flush()
        state.wrote(at: .now())
    }

    /// Called after the last part of the stream was written.
    func endStream() {
        guard let context else { return }
        releaseStream()
        finish(exchange.take(), .ok, state.answers(at: .now()), context)
        takeParts(context)
    }

    private func releaseStream() {
        stream?.release()
        stream = nil
    }

    private func executeForEventStream(_ head: RequestHead, _ body: RequestBody, _ context: ChannelHandlerContext) {
        guard let executor else { return }
        switch SingleConnectionMode(environment).outcome(of: head, body) {
        case .answer(let answer): self.answer(answer, context, isOperation: false)
        case .reservation(let answer): wait(for: { await answer(executor) }, context, isOperation: false)
        case .stream(let reservation):
            _ = state.executes(until: .distantFuture)
            let stream = StreamedResponse(.eventStream, to: head, over: self, carrying: reservation)
            self.stream = stream
            stream.open()
        case .operation(let request, let id, let eventStream):
            let number = state.executes(until: .now() + environment.settings.limits.executionTimeout)
            let operation = EventStreamOperation(
                id, of: eventStream, asked: head, number, over: self, on: executor.eventLoop)
            switch eventStream.begin(operation) {
            case .began: operation.start(request, on: executor)
            case .refused(let refusal): finish(refusal, of: number, isOperation: false)
            }
        }
    }

    // MARK: - The router's requests

    private func route(_ head: HTTPRequestHead, at now: NIODeadline, _ context: ChannelHandlerContext) {
        guard let request = try? HTTPRequest(head, secure: false, splitCookie: false) else {
            return answer(.refusal(.badRequest, "The request is malformed."), context, isLast: true)
        }
        do {
            if !isRouterAttached {
                try attachRouter(context)
                isRouterAttached = true
            }
        } catch {
            return context.close(promise: nil)
        }
        state.routes(at: now)
        routedResponse = RoutedResponse()
        forward(.head(request), context)
    }

    private func forward(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        hasHandedOn = true
        context.fireChannelRead(wrapInboundOut(part))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard state.isRouting, let exchange else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        let part = unwrapOutboundIn(data)
        if case .head(let response) = part, response.status.kind != .informational {
            routedResponse.begin(response, to: exchange.head)
            state.routedAnswerBegan(isLast: routedResponse.framing == .close)
        }
        let closes = state.closesAfterAnswer
        if let bytes = routedResponse.encode(part, to: exchange.head, environment.responses, closes: closes) {
            context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: promise)
        } else {
            promise?.succeed()
        }
        if case .end = part {
            context.flush()
            state.routedAnswerEnded()
            finishRouting(context)
        }
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        state.wrote(at: .now())
    }

    /// Ends the request once it was answered and read to its end, and begins the next.
    private func finishRouting(_ context: ChannelHandlerContext) {
        guard state.isRoutedRequestFinished else { return }
        finish(exchange.take(), routedResponse.status, state.answers(at: .now()), context)
        takeParts(context)
    }

    // MARK: - Upgrade to another protocol

    private func upgrade(_ request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard let exchange else { return }
        let upgrade = WebSocketUpgrade(request, exchange.head, environment)
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        upgrade.response(on: context.channel).whenComplete { result in
            let connection = connection.value
            guard let context = connection.context else { return }
            do {
                try connection.finish(upgrade, result.get(), since: exchange.startedAt, context)
            } catch {
                context.close(promise: nil)
            }
        }
    }

    private func finish(
        _ upgrade: WebSocketUpgrade, _ response: ByteBuffer, since start: NIODeadline, _ context: ChannelHandlerContext
    ) throws {
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(response)), promise: nil)
        environment.telemetry.record(nil, status: .switchingProtocols, head: upgrade.head, since: start)
        state.upgraded()
        exchange = nil
        let socket = upgrade.socket()
        try upgrade.replaceHandlers(of: self, by: socket, context.pipeline.syncOperations)
        onUpgrade(context.channel)
        if state.isDraining { socket.drain() }
    }

    // MARK: - Events

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: perform(state.drain(at: .now()), context)
        case ChannelEvent.inputClosed: perform(state.inputClosed(), context)
        default: if isRouterAttached { context.fireUserInboundEventTriggered(event) }
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        state.writabilityChanged(context.channel.isWritable, at: .now())
        if state.isWritable {
            stream?.writeEvents()
            takeParts(context)
        }
        context.fireChannelWritabilityChanged()
    }

    /// After an error of the decoder the bounds of later requests are unknown.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError, context.channel.isActive else {
            return context.close(promise: nil)
        }
        if case .headerOverflow = error { violated(.headTooLarge) } else { violated(.malformed) }
    }

    func tick(at now: NIODeadline) { if let context { perform(state.tick(at: now), context) } }
}

extension HTTPConnectionState.Refusal {
    fileprivate var answer: GraphQLAnswer {
        switch self {
        case .headTimeout: .refusal(.requestTimeout, "The request's head took too long.")
        case .bodyTimeout: .refusal(.requestTimeout, "The request's body took too long.")
        case .routeTimeout: .refusal(.serviceUnavailable, "The request took too long.")
        case .malformed: .refusal(.badRequest, "The request is malformed.")
        case .headTooLarge: .refusal(.requestHeaderFieldsTooLarge, "The header fields are too large.")
        case .chunkExtensionsTooLong:
            .refusal(.badRequest, "The extensions of the body's chunks are too long.")
        }
    }
}

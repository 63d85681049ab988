import GraphQL
import NIOCore
import NIOWebSocket
import Synchronization

/// The channel handler that carries out the actions of a WebSocket's `ConnectionState`. All its methods are called on
/// the channel's event loop.
final class WebSocketConnection: ChannelDuplexHandler, Ticking {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    private static let count = Atomic<UInt64>(0)

    let environment: TransportEnvironment
    let queue: EventQueue
    /// The number of the socket, unique in this process.
    private let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    private let head: RequestHead
    private let offersSubprotocol: Bool
    private var state: ConnectionState
    private var operations: [String: SocketOperation] = [:]
    private var session: SocketSession?
    private var deadlines: SocketDeadlines
    private var receipts = PingReceipts()
    private var assembler: MessageAssembler
    private var context: ChannelHandlerContext?
    private var executor: EventLoopExecutor?
    private var isWriting = false
    /// The writability that the channel reported last; to ask the channel again costs more.
    private var isWritable = true
    private var isReadHeld = false
    private var hasPeerClosed = false
    /// True once the end of the session has stopped operations while others went on.
    private var hasStoppedOperations = false

    init(head: RequestHead, offersSubprotocol: Bool, _ environment: TransportEnvironment) {
        let settings = environment.settings
        self.head = head
        self.offersSubprotocol = offersSubprotocol
        self.environment = environment
        queue = EventQueue(settings.streams)
        state = ConnectionState(maxOperations: settings.streams.operations)
        deadlines = SocketDeadlines(settings.limits, settings.streams, at: .now())
        assembler = MessageAssembler(
            maxSize: settings.streams.messageSize, maxFragments: settings.streams.messageFragments)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        isWritable = context.channel.isWritable
        environment.telemetry.streams.sockets.increment()
        let executor = EventLoopExecutor.of(context.eventLoop)
        self.executor = executor
        executor.clock.add(self)
        executor.clock.wake(self, at: deadlines.connectionInit)
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        queue.attach { eventLoop.performSoon { connection.value.writeEvents() } }
        session = SocketSession(head, environment.endpoint, on: executor) { connection.value.note($0) }
        if !offersSubprotocol { perform(state.violated(.subprotocolNotAcceptable)) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        release()
        self.context = nil
        environment.telemetry.streams.sockets.decrement()
    }

    /// Releases everything that belongs to the socket: operations, session, queue and deadlines.
    private func release() {
        executor?.clock.remove(self)
        session?.close()
        for operation in operations.values { operation.end() }
        operations.removeAll()
        queue.close()
        receipts = PingReceipts()
    }

    // MARK: - Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        state.heard()
        switch assembler.receive(frame) {
        case .none, .pong: break
        case .text(let bytes): receive(bytes)
        case .ping(let data) where !state.isClosed: write(.pong, data)
        case .ping: break
        case .close(let code):
            hasPeerClosed = true
            if state.isClosed { context.close(promise: nil) } else { perform(state.closeReceived(code)) }
        case .violation(let reason): perform(state.violated(reason))
        }
    }

    private func receive(_ bytes: ByteBuffer) {
        if state.isClosed { return }
        let action: ConnectionState.Action
        do {
            let message = try ClientMessage(bytes, maxDepth: environment.settings.limits.jsonDepth)
            if case .pong(let payload) = message {
                for onReceipt in receipts.pong(payload) { onReceipt() }
            }
            action = state.received(message)
        } catch {
            action = state.violated(error.reason)
        }
        perform(action)
    }

    /// Reading pauses while the client does not read. Otherwise the answers to its pings could fill the memory.
    func read(context: ChannelHandlerContext) {
        if isWritable && queue.isEmpty { context.read() } else { isReadHeld = true }
    }

    func channelInactive(context: ChannelHandlerContext) {
        release()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error as? NIOWebSocketError {
        case .invalidFrameLength?: perform(state.violated(.messageTooBig))
        case .some: perform(state.violated(.protocolError("Malformed frame")))
        // After a malformed frame the decoder reports an error for all further bytes. These errors are ignored, so that
        // the client keeps its time to answer the close frame.
        case nil where state.isClosed: break
        case nil: context.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: drain()
        case ChannelEvent.inputClosed: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func drain() { perform(state.drain()) }

    // MARK: - Writing

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        deadlines.writabilityChanged(isWritable, at: .now())
        if isWritable { writeEvents() }
        context.fireChannelWritabilityChanged()
    }

    private func writeEvents() {
        guard let context, !isWriting else { return }
        isWriting = true
        var hasWritten = false
        repeat {
            hasWritten = false
            while isWritable, let event = queue.take() {
                context.write(wrapOutboundOut(event), promise: nil)
                hasWritten = true
            }
            // Further events may fit after the flush, without another change of writability.
            if hasWritten { context.flush() }
        } while hasWritten
        isWriting = false
        resumeReading(where: isWritable)
    }

    private func resumeReading(where mayRead: Bool) {
        guard isReadHeld, mayRead, let context else { return }
        isReadHeld = false
        context.read()
    }

    private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
        guard let context else { return }
        context.writeAndFlush(wrapOutboundOut(ServerFrame.frame(opcode, data)), promise: nil)
    }

    private func send(_ message: ByteBuffer) { queue.append(ServerFrame.text(message)) }

    // MARK: - From operations

    func next(_ id: String, _ response: GraphQL.Response) {
        guard case .sendNext = state.responded(id) else { return }
        send(ServerMessage.next(id, response))
    }

    /// Writes a frame of a fan-out batch, past the queue if that is empty.
    /// - Returns: false where the frame has to wait for room.
    func hand(_ frame: ByteBuffer) -> Bool {
        if let context, isWritable, !isWriting, queue.isEmpty {
            context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
            return true
        }
        guard queue.hasRoom else { return false }
        queue.append(frame)
        return true
    }

    func streaming(_ id: String, sendsLastEvents: Bool) {
        perform(state.streaming(id, sendsLastEvents: sendsLastEvents))
    }

    func completed(_ id: String) {
        operations.removeValue(forKey: id)?.end()
        if case .sendComplete = state.completed(id) { send(ServerMessage.complete(id)) }
        perform(state.drainedAction)
    }

    func failed(_ id: String, _ errors: [GraphQLError]) {
        operations.removeValue(forKey: id)?.end()
        if case .sendError = state.failed(id) { send(ServerMessage.error(id, errors)) }
        perform(state.drainedAction)
    }

    /// Asks for the proof that the client has received an event. One ping serves all events of this turn of the event
    /// loop.
    func awaitReceipt(_ onReceipt: @escaping @Sendable () -> Void) {
        let isFirst = !receipts.isPingDue
        receipts.add(onReceipt)
        guard isFirst, receipts.isPingDue, let context else { return }
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute {
            let connection = connection.value
            if !connection.state.isClosed && connection.receipts.isPingDue { connection.sendPing() }
        }
    }

    // MARK: - From the session and the clock

    private func note(_ event: SocketSession.Event) {
        if session?.isChecking == false { deadlines.authenticationEnded() }
        switch event {
        case .granted(isFirst: true): perform(state.authenticated())
        case .granted(isFirst: false): perform(state.renewed())
        case .refused(let reason): perform(state.authenticationFailed(reason))
        case .mayHaveEnded: checkSession()
        }
    }

    /// Checks whether the session has ended; called once a second, and whenever the session may have ended.
    private func checkSession() {
        guard let session, !state.isClosed else { return }
        if session.hasEnded { return perform(state.sessionEnded()) }
        if let next = session.nextSessionCheck { executor?.clock.wake(self, at: .now() + TimeAmount(next)) }
    }

    func tick(at now: NIODeadline) {
        guard let context else { return }
        if !state.isClosed { checkSession() }
        while let event = deadlines.next(at: now) {
            switch event {
            case .isGone: return context.close(promise: nil)
            case .connectionInitMissing: perform(state.connectionInitTimeoutPassed())
            case .authenticationTooSlow: perform(state.authenticationFailed(.tryAgainLater))
            case .conclusionTooSlow: perform(state.conclusionTimeoutPassed())
            case .keepAliveDue: perform(state.keepAliveDue())
            }
        }
    }

    // MARK: - Actions

    /// The payload of a ping: the cursor from which a client resumes that has received everything so far; nil while
    /// `StreamProgress.commonCursor` returns nil. nil also once the end of the session has stopped operations: they are
    /// behind the others, whose cursor would make the client skip the stopped operations' events.
    private var position: InputObject? {
        if hasStoppedOperations { return nil }
        return StreamProgress.commonCursor(operations.values.map(\.progress)).map {
            InputObject([(name: "cursor", value: .string($0))])
        }
    }

    private func perform(_ action: ConnectionState.Action) {
        switch action {
        case .none, .sendNext, .sendError, .sendComplete: break
        case .authenticate(let payload):
            deadlines.connectionInitReceived()
            deadlines.authenticationBegan(at: .now())
            session?.authenticate(payload)
        case .renew(let payload):
            deadlines.authenticationBegan(at: .now())
            session?.renew(payload)
        case .sendConnectionAck: send(ServerMessage.connectionAck)
        case .sendPing:
            // Every WebSocket client answers the ping frame by itself. The ping message carries the cursor.
            write(.ping, ByteBuffer())
            sendPing()
        case .sendPong(let payload): send(ServerMessage.pong(payload))
        case .start(let id, let request): start(id, request)
        case .stop(let id):
            operations.removeValue(forKey: id)?.end()
            perform(state.drainedAction)
        case .refuse(let id, .tooManyOperations):
            send(ServerMessage.error(id, [.tooManyOperations(environment.settings.streams.operations)]))
        case .refuse(let id, .serverStops): send(ServerMessage.error(id, [.serverStops()]))
        case .refuse(let id, .sessionEnded): send(ServerMessage.error(id, [.sessionEnded()]))
        case .conclude(let stopped, let concluding): conclude(stopped: stopped, concluding: concluding)
        case .close(let reason): close(reason)
        case .terminate: context?.close(promise: nil)
        }
    }

    private func start(_ id: String, _ request: GraphQLRequest) {
        guard let executor, let session else { return }
        let operation = SocketOperation(id, of: self)
        operations[id] = operation
        operation.start(request, session.head.forOperation(of: number), on: executor)
    }

    private func sendPing() { send(ServerMessage.ping(receipts.ping(position))) }

    /// Stops some operations, and lets others send their last events. The socket is closed when all operations have
    /// ended, at the latest at the deadline of the conclusion.
    private func conclude(stopped: [String], concluding: [String]) {
        if !stopped.isEmpty {
            if position != nil { sendPing() }
            hasStoppedOperations = true
        }
        for id in stopped { operations.removeValue(forKey: id)?.end() }
        for id in concluding { operations[id]?.conclude() }
        if deadlines.sessionEnded(at: .now()) { executor?.clock.wake(self, at: deadlines.conclusion) }
        perform(state.drainedAction)
    }

    /// Sends the close frame, and gives the client time to answer it, unless the client has sent its own already.
    /// RFC 6455, 7.1.2 Start the WebSocket Closing Handshake
    private func close(_ reason: CloseReason) {
        guard let context else { return }
        if let position { send(ServerMessage.ping(position)) }
        while let event = queue.take() {
            context.write(wrapOutboundOut(event), promise: nil)
        }
        release()
        var data = context.channel.allocator.buffer(capacity: 2 + reason.text.utf8.count)
        data.writeInteger(reason.code)
        data.writeString(reason.text)
        write(.connectionClose, data)
        if hasPeerClosed { context.close(mode: .output, promise: nil) }
        deadlines.closing(at: .now())
        executor?.clock.add(self)
        resumeReading(where: true)
    }
}

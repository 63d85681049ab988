import GraphQL
import NIOCore
import NIOWebSocket
import Synchronization

/// One socket: carries out what `ConnectionState` says. Everything happens on the event loop of its channel.
final class WebSocketConnection: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// An operation under way.
    final class Operation {
        /// Until it streams.
        var task: Task<Void, Never>?
        var reader: EventReader?
        /// Until when it must have answered, or begun to stream.
        var deadline: NIODeadline
        var progress = StreamProgress()
        /// Has the source give what it owes, and end; nil where it owes nothing.
        var conclude: (@Sendable () -> Void)?
        private(set) var hasEnded = false

        init(deadline: NIODeadline) { self.deadline = deadline }

        func end() {
            hasEnded = true
            task?.cancel()
            task = nil
            reader?.stop()
            reader = nil
        }
    }

    private static let count = Atomic<UInt64>(0)

    /// Names the socket as long as this server runs.
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    let runner: OperationRunner
    let settings: ServerSettings
    let queue: EventQueue
    var state: ConnectionState
    var operations: [String: Operation] = [:]
    /// Of the upgrade, with the latest credentials.
    var head: RequestHead
    var session: (any SessionContext)?
    /// Ends the watch over the session.
    var stopWatching: (@Sendable () -> Void)?
    /// Of the newest credentials.
    var authentication: Task<Void, Never>?
    /// Credentials that the client has given, and the newest of them that were granted.
    var checks = (begun: 0, granted: 0)
    var executor: EventLoopExecutor?
    var clock = SocketClock()
    var receipts = PingReceipts()
    private(set) var context: ChannelHandlerContext?
    private var assembler: MessageAssembler
    private let offersSubprotocol: Bool
    private var isWriting = false
    /// As the channel told last: asking it costs more.
    private var isWritable = true
    private var isReadHeld = false
    private var hasPeerClosed = false

    init(
        head: RequestHead, offersSubprotocol: Bool, endpoint: any GraphQLEndpoint, settings: ServerSettings,
        telemetry: Telemetry
    ) {
        runner = OperationRunner(endpoint: endpoint, telemetry: telemetry)
        self.head = head
        self.settings = settings
        self.offersSubprotocol = offersSubprotocol
        queue = EventQueue(settings.streams)
        state = ConnectionState(maxOperations: settings.streams.operations)
        assembler = MessageAssembler(
            maxSize: settings.streams.messageSize, maxFragments: settings.streams.messageFragments)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        isWritable = context.channel.isWritable
        executor = .of(context.eventLoop)
        runner.telemetry.streams.sockets.increment()
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        queue.attach {
            if eventLoop.inEventLoop {
                connection.value.writeEvents()
            } else {
                eventLoop.execute { connection.value.writeEvents() }
            }
        }
        startClock(context)
        if !offersSubprotocol { perform(state.violated(.subprotocolNotAcceptable)) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        release()
        self.context = nil
        runner.telemetry.streams.sockets.decrement()
    }

    /// Nothing outlives the socket.
    private func release() {
        stopClock()
        stopWatching?()
        stopWatching = nil
        authentication?.cancel()
        authentication = nil
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
            let message = try ClientMessage(bytes, maxDepth: settings.limits.jsonDepth)
            if case .pong(let payload) = message {
                for onReceipt in receipts.pong(payload) { onReceipt() }
            }
            action = state.received(message)
        } catch {
            action = state.violated(error.reason)
        }
        perform(action)
    }

    /// A client that does not read is not read from either, or its pings alone could fill the memory.
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
        // What follows a malformed frame cannot be told apart; the client still has its moment.
        case nil where state.isClosed: break
        case nil: context.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: perform(state.drain())
        case ChannelEvent.inputClosed: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: - Writing

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        clock.noteWritability(isWritable, patience: settings.limits.writeTimeout)
        if isWritable { writeEvents() }
        context.fireChannelWritabilityChanged()
    }

    func writeEvents() {
        guard let context, !isWriting else { return }
        isWriting = true
        var hasWritten = false
        repeat {
            hasWritten = false
            while isWritable, let event = queue.take() {
                context.write(wrapOutboundOut(event), promise: nil)
                hasWritten = true
            }
            // What did not fit before it may fit after it, and nobody says so again.
            if hasWritten { context.flush() }
        } while hasWritten
        isWriting = false
        if isReadHeld && isWritable && self.context != nil {
            isReadHeld = false
            context.read()
        }
    }

    private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
        guard let context else { return }
        context.writeAndFlush(wrapOutboundOut(ServerFrame.frame(opcode, data)), promise: nil)
    }

    /// One of many subscribers' frames: without the queue where nothing is before it.
    /// - Returns: false where it has to wait for room.
    func hand(_ frame: ByteBuffer) -> Bool {
        if let context, isWritable, !isWriting, queue.isEmpty {
            context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
            return true
        }
        guard queue.hasRoom else { return false }
        queue.append(frame)
        return true
    }

    func send(_ message: ByteBuffer) { queue.append(ServerFrame.text(message)) }

    // MARK: - Actions

    /// Where a client goes on that has got everything so far; nil where that is not sure.
    var position: InputObject? {
        StreamProgress.resting(operations.values.map(\.progress)).map {
            InputObject([(name: "cursor", value: .string($0))])
        }
    }

    func perform(_ action: ConnectionState.Action) {
        switch action {
        case .none, .sendNext, .sendError, .sendComplete: break
        case .authenticate(let payload):
            connectionInitCame()
            authenticate(payload)
        case .renew(let payload): renew(payload)
        case .sendConnectionAck: send(ServerMessage.connectionAck)
        case .sendPing:
            // One for the socket, which every client answers by itself, one for the protocol.
            write(.ping, ByteBuffer())
            sendPing()
        case .sendPong(let payload): send(ServerMessage.pong(payload))
        case .start(let id, let request): start(id, request)
        case .stop(let id):
            operations.removeValue(forKey: id)?.end()
            perform(state.drainedAction)
        case .refuse(let id, .tooManyOperations):
            send(ServerMessage.error(id, [.tooManyOperations(settings.streams.operations)]))
        case .refuse(let id, .serverStops): send(ServerMessage.error(id, [.serverStops()]))
        case .refuse(let id, .sessionEnded): send(ServerMessage.error(id, [.sessionEnded()]))
        case .conclude(let stopped, let concluding): conclude(stopped: stopped, concluding: concluding)
        case .close(let reason): close(reason)
        case .terminate: context?.close(promise: nil)
        }
    }

    func sendPing() { send(ServerMessage.ping(receipts.ping(position))) }

    /// The client has a moment to say goodbye too; where it began, it has.
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
        clock.closeBy = .now() + .seconds(2)
        keepClock()
        if isReadHeld {
            isReadHeld = false
            context.read()
        }
    }
}

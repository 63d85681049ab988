import GraphQL
import NIOCore

/// An operation of a WebSocket.
final class SocketOperation: OperationOutlet {
    let id: String
    let queue: EventQueue
    /// nil once the operation has ended.
    private var socket: WebSocketConnection?
    private var session: OperationSession<SocketOperation>?

    init(_ id: String, of socket: WebSocketConnection) {
        self.id = id
        self.socket = socket
        queue = socket.queue
    }

    func start(_ request: GraphQLRequest, _ head: RequestHead, on executor: EventLoopExecutor) {
        guard let socket else { return }
        let session = OperationSession(self, watch: .outlets, on: executor, socket.environment)
        self.session = session
        session.start(request, head)
    }

    var progress: StreamProgress { session?.progress ?? StreamProgress() }

    /// Called when the session of the client's sign-in has ended, as opposed to this operation's `OperationSession`.
    /// The source stream of a subscription then sends its last events and ends.
    func conclude() { session?.conclude() }

    func end() {
        socket = nil
        session?.end()
        session = nil
    }

    // MARK: - From the OperationSession

    func accept(
        _ summary: OperationSummary, headers: @escaping @Sendable () -> [(name: String, value: String)]
    ) -> Bool {
        true
    }

    func respond(_ response: GraphQL.Response) {
        if response.isRequestError {
            fail(response.errors, OperationSummary())
        } else {
            send(part: response, isLast: true)
        }
    }

    func send(part: GraphQL.Response, isLast: Bool) {
        socket?.next(id, part)
        if isLast { complete() }
    }

    func beginStream(sendsLastEvents: Bool) { socket?.streaming(id, sendsLastEvents: sendsLastEvents) }

    func send(event: GraphQL.Response) {
        socket?.next(id, event)
        if let onReceipt = event.onReceipt { socket?.awaitReceipt(onReceipt) }
    }

    func send(shared event: SharedResponse) -> Bool {
        guard let socket else { return true }
        if let last = event.encoded as? NextFrame, last.id == id { return socket.hand(last.bytes) }
        let frame = NextFrame(id: id, bytes: ServerFrame.text(ServerMessage.next(id, event.response)))
        event.encoded = frame
        return socket.hand(frame.bytes)
    }

    func fail(_ errors: [GraphQLError], _ summary: OperationSummary) { socket?.failed(id, errors) }

    func complete() { socket?.completed(id) }
}

/// A frame that several sockets share if their operations have the same ID, which is frequent: most clients number
/// their operations alike.
private final class NextFrame {
    let id: String
    let bytes: ByteBuffer

    init(id: String, bytes: ByteBuffer) {
        self.id = id
        self.bytes = bytes
    }
}

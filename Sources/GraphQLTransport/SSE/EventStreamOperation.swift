import GraphQL
import NIOCore

/// An operation of single connection mode. Its request is answered when the operation is accepted or refused. The
/// responses go over the event stream, also after the request's connection is closed.
/// graphql-sse, Single connection mode
final class EventStreamOperation: OperationOutlet, Sendable {
    private struct Request {
        let connection: HTTPConnection
        /// The request's number on its connection. The connection may have answered the request with a timeout, and
        /// have begun the next one.
        let number: Int
    }

    /// State that only the operation's event loop reads and writes.
    private final class Local {
        var session: OperationSession<EventStreamOperation>?
        /// nil once the request is answered.
        var request: Request?

        init(_ request: Request) { self.request = request }
    }

    let id: String
    private let stream: EventStream
    private let head: RequestHead
    private let environment: TransportEnvironment
    private let eventLoop: any EventLoop
    private let local: NIOLoopBound<Local>

    /// - Parameter number: the request's number on its connection.
    init(
        _ id: String, of stream: EventStream, asked head: RequestHead, _ number: Int, over connection: HTTPConnection,
        on eventLoop: any EventLoop
    ) {
        self.id = id
        self.stream = stream
        self.head = head
        environment = connection.environment
        self.eventLoop = eventLoop
        local = NIOLoopBound(Local(Request(connection: connection, number: number)), eventLoop: eventLoop)
    }

    var queue: EventQueue { stream.queue }

    func start(_ request: GraphQLRequest, on executor: EventLoopExecutor) {
        let session = OperationSession(self, on: executor, environment)
        local.value.session = session
        session.start(request, head)
    }

    /// Ends the operation; may be called on any thread. A request that is not answered yet gets the status 202, as if
    /// the operation had been stopped just after it was accepted.
    func stop() {
        eventLoop.performSoon { [self] in
            local.value.session?.end()
            local.value.session = nil
            _ = answer(.accepted)
        }
    }

    // MARK: - The request

    /// - Returns: whether the client still waited for the answer.
    private func answer(_ answer: GraphQLAnswer) -> Bool {
        guard let request = local.value.request else { return false }
        local.value.request = nil
        return request.connection.finish(answer, of: request.number, isOperation: false)
    }

    func accept(
        _ summary: OperationSummary, headers: @escaping @Sendable () -> [(name: String, value: String)]
    ) -> Bool {
        let isMutationByGET = summary.type == .mutation && head.method != .POST
        guard answer(isMutationByGET ? .mutationByGET : .accepted), !isMutationByGET else {
            forget()
            return false
        }
        return stream.isUnderWay(self)
    }

    // MARK: - The stream

    func respond(_ response: GraphQL.Response) { end(with: response) }

    func send(part: GraphQL.Response, isLast: Bool) {
        if isLast { end(with: part) } else { send(event: part) }
    }

    func beginStream(sendsLastEvents: Bool) {}

    func send(event: GraphQL.Response) {
        guard stream.isUnderWay(self) else { return }
        queue.append(EventStreamMessage.next(id, event), onReceipt: event.onReceipt)
    }

    func send(shared event: SharedResponse) -> Bool {
        guard queue.hasRoom else { return false }
        if stream.isUnderWay(self) { queue.append(EventStreamMessage.next(id, event.response)) }
        return true
    }

    /// Sends the errors as the answer to the request, if the operation was not accepted yet, or else over the stream.
    func fail(_ errors: [GraphQLError], _ summary: OperationSummary) {
        if local.value.request != nil {
            forget()
            _ = answer(environment.endpoint.refusal(errors, of: head, summary))
        } else {
            end(with: GraphQL.Response(RequestError(errors)))
        }
    }

    func complete() { end(with: nil) }

    private func end(with response: GraphQL.Response?) {
        local.value.session = nil
        guard stream.end(self) else { return }
        if let response { queue.append(EventStreamMessage.next(id, response)) }
        queue.append(EventStreamMessage.complete(id))
    }

    /// Removes the operation from the stream without a message.
    private func forget() {
        local.value.session = nil
        stream.end(self)
    }
}

extension GraphQLAnswer {
    fileprivate static var accepted: GraphQLAnswer { GraphQLAnswer(status: .accepted, contentType: "", body: []) }
}

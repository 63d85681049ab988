import GraphQL
import NIOCore

/// A streamed response. It carries the events of one operation or, in graphql-sse's single connection mode, of the
/// operations that other requests start.
final class StreamedResponse: OperationOutlet, Ticking {
    private enum Source {
        case operation(OperationSession<StreamedResponse>)
        case reservation(EventStream)
    }

    let queue: EventQueue
    private let format: StreamFormat
    private let head: RequestHead
    private let framing: ResponseFraming
    private let environment: TransportEnvironment
    /// nil once the response has ended.
    private var connection: HTTPConnection?
    private var source: Source?
    private var headers: @Sendable () -> [(name: String, value: String)] = { [] }
    /// Whether the operation was accepted to run.
    private var isAccepted = false
    /// Whether the response's head is written.
    private var isOpen = false
    /// Whether the response's last bytes are in the queue.
    private var isFinished = false
    private var isWriting = false
    /// Whether a part was sent that is not the last.
    private var isInParts = false
    private var receipts: AcknowledgementPolling?

    init(_ format: StreamFormat, to head: RequestHead, over connection: HTTPConnection, queue: EventQueue) {
        self.format = format
        self.head = head
        self.connection = connection
        self.queue = queue
        environment = connection.environment
        framing = ResponseFraming(ofStreamTo: head)
    }

    /// graphql-sse, Single connection mode
    convenience init(
        _ format: StreamFormat, to head: RequestHead, over connection: HTTPConnection, carrying reservation: EventStream
    ) {
        self.init(format, to: head, over: connection, queue: reservation.queue)
        source = .reservation(reservation)
    }

    func start(_ request: GraphQLRequest, on executor: EventLoopExecutor) {
        let operation = OperationSession(self, on: executor, environment)
        source = .operation(operation)
        attach()
        operation.start(request, head, format: format.incrementalFormat)
    }

    private func attach() {
        guard let eventLoop = connection?.context?.eventLoop else { return }
        let response = NIOLoopBound(self, eventLoop: eventLoop)
        queue.attach { eventLoop.performSoon { response.value.writeEvents() } }
    }

    /// Ends the response's operation, after the end of the response or of the connection.
    func release() {
        if connection == nil { return }
        connection = nil
        switch source {
        case .operation(let operation): operation.end()
        case .reservation(let stream): environment.eventStreams.close(stream)
        case nil: break
        }
        queue.close()
        if isOpen { environment.telemetry.streams.eventStreams.decrement() }
    }

    private var progress: StreamProgress {
        if case .operation(let operation) = source { operation.progress } else { StreamProgress() }
    }

    // MARK: - From the operation

    func accept(
        _ summary: OperationSummary, headers: @escaping @Sendable () -> [(name: String, value: String)]
    ) -> Bool {
        if summary.type == .mutation && head.method != .POST {
            connection?.answerInstead(.mutationByGET)
            return false
        }
        self.headers = headers
        isAccepted = true
        return true
    }

    func respond(_ response: GraphQL.Response) {
        if case .incremental = format, let mediaType = head.accepted.mediaType {
            var answer = environment.endpoint.answer(response, mediaType)
            answer.headers += headers()
            connection?.answerInstead(answer)
        } else {
            send(part: response, isLast: true)
        }
    }

    func send(part response: GraphQL.Response, isLast: Bool) {
        if !isLast { isInParts = true }
        open(headers: RefusalStatus.retryAfter(response.errors))
        queue.append(format.next(response))
        if isLast { finish() }
    }

    func beginStream(sendsLastEvents: Bool) {
        open()
        if connection?.state.isDraining == true { drain() }
    }

    func send(event: GraphQL.Response) { queue.append(format.next(event), onReceipt: event.onReceipt) }

    func send(shared event: SharedResponse) -> Bool {
        guard queue.hasRoom else { return false }
        queue.append(format.next(event.response))
        return true
    }

    func complete() { finish() }

    /// Errors after the beginning of the stream are sent over it. graphql-sse sends request errors over the stream too,
    /// except those of an unauthenticated client or a malformed request. These, and all errors of a multipart response
    /// before its first part, are sent as a response of their own.
    func fail(_ errors: [GraphQLError], _ summary: OperationSummary) {
        switch format {
        case .multipart where !isOpen, .incremental where !isOpen:
            connection?.answerInstead(environment.endpoint.refusal(errors, of: head, summary))
        case .eventStream where !isAccepted && Self.refusesAltogether(errors):
            let refused = RefusalStatus(errors)
            connection?.answerInstead(
                GraphQLAnswer(
                    status: refused.status, contentType: GraphQLMediaType.json.contentType, headers: refused.headers,
                    errors: errors, summary: summary))
        case .eventStream, .multipart, .incremental:
            open()
            queue.append(format.failure(errors, to: head))
            finish()
        }
    }

    private static func refusesAltogether(_ errors: [GraphQLError]) -> Bool {
        let code = errors.first?.code
        return code == ErrorCode.unauthenticated.rawValue || code == ErrorCode.badRequest.rawValue
    }

    private func finish() {
        queue.append(format.completion)
        isFinished = true
        writeEvents()
    }

    // MARK: - The response

    func open(headers: [(name: String, value: String)] = []) {
        guard !isOpen, let connection else { return }
        isOpen = true
        environment.telemetry.streams.eventStreams.increment()
        connection.beginStream(isLast: framing == .close)
        let closes = connection.state.closesAfterAnswer
        connection.write(
            environment.responses.encodeHead(
                contentType: format.contentType, headers: self.headers() + headers, framing, to: head, closes: closes))
        write(format.opening, to: connection)
        connection.flush()
        if case .reservation = source { attach() } else { writeEvents() }
    }

    func writeEvents() {
        guard let connection, isOpen, !isWriting else { return }
        isWriting = true
        var hasWritten = false
        repeat {
            hasWritten = false
            while connection.state.isWritable, let event = queue.take() {
                write(event, to: connection)
                hasWritten = true
            }
            // Further events may fit after the flush, without another change of writability.
            if hasWritten { connection.flush() }
        } while hasWritten
        isWriting = false
        awaitReceipts()
        if isFinished && queue.isEmpty { close(connection) }
    }

    private func write(_ bytes: ByteBuffer, to connection: HTTPConnection) {
        if let bytes = framing.encode(bytes) { connection.write(bytes) }
    }

    /// Writes the end of the body, and ends the request.
    private func close(_ connection: HTTPConnection) {
        if let end = framing.end { connection.write(end) }
        connection.flush()
        connection.endStream()
    }

    func keepAlive() {
        guard queue.isEmpty, !isFinished else { return }
        if let keepAlive = format.keepAlive(at: StreamProgress.commonCursor([progress])) { queue.append(keepAlive) }
    }

    /// Ends the stream because the server stops. An event stream ends without `complete`, so that its client
    /// reconnects; Apollo's protocol gets an error.
    func drain() {
        guard isOpen, !isFinished else { return }
        switch format {
        case .multipart:
            let position = progress.position
            stopOperation()
            fail([.serverStops().with(cursor: position)], OperationSummary())
        // A response in parts is short, and is left to end.
        case .incremental: return
        case .eventStream where isInParts: return
        case .eventStream:
            if let position = StreamProgress.commonCursor([progress]) {
                queue.append(EventStreamMessage.keepAlive(at: position))
            }
            stopOperation()
            isFinished = true
            writeEvents()
        }
    }

    private func stopOperation() { if case .operation(let operation) = source { operation.end() } }

    // MARK: - Proofs of receipt

    private func awaitReceipts() {
        guard receipts == nil, queue.hasReceipts, let context = connection?.context else { return }
        receipts = AcknowledgementPolling()
        lookForReceipts(on: context)
    }

    private func lookForReceipts(on context: ChannelHandlerContext) {
        guard let wait = receipts?.nextWait() else { return }
        EventLoopExecutor.of(context.eventLoop).clock.wake(self, at: .now() + wait)
    }

    /// An alarm of `lookForReceipts`.
    func tick(at now: NIODeadline) {
        guard let context = connection?.context else { return }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.channel.isAcknowledged().whenComplete { result in
            let (response, context) = bound.value
            if response.connection == nil { return }
            if case .success(true) = result {
                for onReceipt in response.queue.takeReceipts() { onReceipt() }
            }
            if response.queue.hasReceipts {
                response.lookForReceipts(on: context)
            } else {
                response.receipts = nil
            }
        }
    }
}

extension GraphQLAnswer {
    /// GraphQL over HTTP: 5.3 GET, "must not execute mutations"
    static let mutationByGET = GraphQLAnswer.refusal(
        .methodNotAllowed, "A mutation is sent by POST.", headers: [("Allow", "POST")])
}

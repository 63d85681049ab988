import GraphQL
import NIOCore
import NIOHTTP1

/// Responses that go on.
extension HTTPConnection {
    /// - Returns: false where the request is answered in one piece.
    func executeStream(
        _ head: RequestHead, _ body: RequestBody, accept: String, _ context: ChannelHandlerContext
    ) -> Bool {
        guard let request = try? endpoint.request(head, body) else { return false }
        let format = StreamFormat.preferred(
            accept: accept, type: { endpoint.operationType(of: request) },
            isIncremental: { endpoint.isIncremental(request) })
        guard let format else { return false }
        phase = .executing
        deadlines.current = .now() + settings.limits.executionTimeout
        let stream = HTTPStream(format, queue: EventQueue(settings.streams), deadline: deadlines.current)
        attach(stream, context)
        let queue = stream.queue
        let bound = NIOLoopBound((self, stream), eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        let runner = OperationRunner(endpoint: endpoint, telemetry: telemetry)
        let deliver: @Sendable (OperationEvent) async -> Bool = { event in
            if event.waitsForRoom, await !queue.room(on: eventLoop) {
                return await eventLoop.perform { bound.value.0.stalled(bound.value.1) }
            }
            return await eventLoop.perform { bound.value.0.deliver(event, bound.value.1) }
        }
        let hand: @Sendable (SharedResponse) -> Bool = { bound.value.0.hand($0, bound.value.1) }
        let task = Task.immediate(executorPreference: executor) {
            let events = await runner.run(request, head, format: format.incrementalFormat, deliver: deliver)
            guard let events else { return }
            await eventLoop.perform {
                let (connection, stream) = bound.value
                guard connection.stream === stream, let executor = connection.executor else { return }
                let reader = EventReader(events, on: executor, deliver: deliver, hand: hand)
                connection.task = nil
                stream.reader = reader
                reader.start()
            }
        }
        if stream.reader == nil, self.stream === stream { self.task = task }
        return true
    }

    func attach(_ stream: HTTPStream, _ context: ChannelHandlerContext) {
        self.stream = stream
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        stream.queue.attach {
            if eventLoop.inEventLoop {
                connection.value.writeEvents()
            } else {
                eventLoop.execute { connection.value.writeEvents() }
            }
        }
    }

    // MARK: - What becomes of the operation

    /// - Returns: whether the operation goes on.
    private func deliver(_ event: OperationEvent, _ stream: HTTPStream) -> Bool {
        guard self.stream === stream, let context, let head else { return false }
        switch event {
        case .accepted(let summary, let session, let headers):
            if summary.type == .mutation && head.method != .POST {
                answerInstead(.mutationByGET, context)
                return false
            }
            stream.session = session
            stream.headers = headers
            stream.isAccepted = true
        case .refused(let errors, let summary): refuse(errors, summary, stream, head, context)
        case .response(let response):
            if case .incremental = stream.format, let mediaType = GraphQLMediaType.preferred(accept: head.accept) {
                var answer = endpoint.answer(response, mediaType)
                answer.headers += stream.headers()
                answerInstead(answer, context)
                return false
            }
            open(stream, context, headers: RefusalStatus.retryAfter(response.errors))
            stream.queue.append(stream.format.next(response))
            finish(stream)
        case .part(let response, let hasNext):
            stream.isInParts = true
            open(stream, context, headers: RefusalStatus.retryAfter(response.errors))
            stream.queue.append(stream.format.next(response))
            if !hasNext { finish(stream) }
        case .streaming(let position, let conclude):
            stream.progress.source = position
            stream.conclude = conclude
            open(stream, context)
            watchSession(of: stream, context)
            if isDraining { drainStream() }
        // The source failed: nothing follows.
        case .event(let response) where response.isRequestError: end(stream, response.errors)
        case .event(let response):
            stream.queue.append(stream.format.next(response), onReceipt: response.onReceipt)
            stream.progress.note(response)
        case .completed: finish(stream)
        }
        return self.stream === stream && !stream.isFinished
    }

    /// An event of many subscribers.
    /// - Returns: false where it has to wait for room.
    private func hand(_ response: SharedResponse, _ stream: HTTPStream) -> Bool {
        guard self.stream === stream, !stream.isFinished else { return true }
        guard stream.queue.hasRoom else { return false }
        stream.queue.append(stream.format.next(response.response))
        stream.progress.note(response.response)
        telemetry.streams.events.increment()
        return true
    }

    /// graphql-sse: errors of a request are told over an accepted stream. Those of a client which may not even ask, or
    /// asks for nothing, and all of Apollo's before the first part, have a response of their own.
    private func refuse(
        _ errors: [GraphQLError], _ summary: OperationSummary, _ stream: HTTPStream, _ head: RequestHead,
        _ context: ChannelHandlerContext
    ) {
        switch stream.format {
        case .multipart where !stream.isOpen, .incremental where !stream.isOpen:
            answerInstead(endpoint.refusal(errors, of: head, summary), context)
        case .eventStream where !stream.isAccepted && Self.refusesAltogether(errors):
            let refused = RefusalStatus(errors)
            answerInstead(
                GraphQLAnswer(
                    status: refused.status, contentType: GraphQLMediaType.json.contentType, headers: refused.headers,
                    errors: errors, summary: summary), context)
        case .eventStream, .multipart, .incremental:
            open(stream, context)
            end(stream, errors)
        }
    }

    private static func refusesAltogether(_ errors: [GraphQLError]) -> Bool {
        let code = errors.first?.code
        return code == ErrorCode.unauthenticated.rawValue || code == ErrorCode.badRequest.rawValue
    }

    /// The operation is counted already.
    private func answerInstead(_ answer: GraphQLAnswer, _ context: ChannelHandlerContext) {
        releaseStream()
        write(answer, context, isOperation: false)
        takeParts(context)
    }

    private func stalled(_ stream: HTTPStream) -> Bool {
        if self.stream === stream {
            telemetry.streams.stalls.increment()
            end(stream, [.clientDoesNotRead().with(cursor: stream.progress.position)])
        }
        return false
    }

    // MARK: - The response

    func open(
        _ stream: HTTPStream, _ context: ChannelHandlerContext, headers: [(name: String, value: String)] = []
    ) {
        if stream.isOpen { return }
        stream.isOpen = true
        phase = .streaming
        deadlines.current = .now() + settings.streams.keepAlive
        telemetry.streams.eventStreams.increment()
        if head?.isHTTP10 == true { closesAfterAnswer = true }
        var bytes = context.channel.allocator.buffer(capacity: 512)
        bytes.writeStatusLine(.ok)
        bytes.writeField("Content-Type", stream.format.contentType)
        bytes.writeBytes(SecurityHeaders.bytes)
        // Proxies that gather an answer before they pass it on would make the client wait for the end.
        bytes.writeStaticString("X-Accel-Buffering: no\r\n")
        for (name, value) in stream.headers() + headers { bytes.writeField(name, value) }
        writeCommonFields(&bytes)
        if head?.isHTTP10 != true { bytes.writeStaticString("Transfer-Encoding: chunked\r\n") }
        bytes.writeStaticString("\r\n")
        context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
        writeChunk(stream.format.opening, context)
        flush(context: context)
        writeEvents()
    }

    func writeEvents() {
        guard let context, let stream, stream.isOpen, !stream.isWriting else { return }
        stream.isWriting = true
        var hasWritten = false
        repeat {
            hasWritten = false
            while context.channel.isWritable, let event = stream.queue.take() {
                writeChunk(event, context)
                hasWritten = true
            }
            // What did not fit before it may fit after it, and nobody says so again.
            if hasWritten { flush(context: context) }
        } while hasWritten
        stream.isWriting = false
        awaitReceipts(stream, context)
        if stream.isFinished && stream.queue.isEmpty { close(context) }
    }

    private func writeChunk(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        if head?.isHTTP10 == true { return context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: nil) }
        var chunk = context.channel.allocator.buffer(capacity: bytes.readableBytes + 16)
        chunk.writeString(String(bytes.readableBytes, radix: 16))
        chunk.writeStaticString("\r\n")
        chunk.writeImmutableBuffer(bytes)
        chunk.writeStaticString("\r\n")
        context.write(wrapOutboundOut(.byteBuffer(chunk)), promise: nil)
    }

    private func finish(_ stream: HTTPStream) {
        stream.queue.append(stream.format.completion)
        stream.isFinished = true
        writeEvents()
    }

    private func end(_ stream: HTTPStream, _ errors: [GraphQLError]) {
        if stream.isFinished { return }
        task?.cancel()
        stream.stopReading()
        stream.queue.append(stream.format.failure(errors))
        finish(stream)
    }

    /// The body's end, and with it the request's.
    private func close(_ context: ChannelHandlerContext) {
        if head?.isHTTP10 != true {
            context.write(wrapOutboundOut(.byteBuffer(ByteBuffer(string: "0\r\n\r\n"))), promise: nil)
        }
        context.flush()
        if let head { telemetry.record(nil, status: .ok, head: head, since: startedAt) }
        releaseStream()
        requestFinished(context)
        takeParts(context)
    }

    /// Nothing outlives the response.
    func releaseStream() {
        guard let stream else { return }
        self.stream = nil
        task?.cancel()
        task = nil
        stream.stopWatching?()
        stream.stopReading()
        stream.queue.close()
        if let reserved = stream.reserved { eventStreams.close(reserved) }
        if stream.isOpen { telemetry.streams.eventStreams.decrement() }
    }

    // MARK: - The clock and the server

    func lookAtStream() {
        guard let stream, !stream.isFinished, let context else { return }
        if let next = stream.reserved?.look(at: .now()) { lookAtStream(in: next, context) }
        if stream.isInParts, stream.deadline <= .now() { return end(stream, [.operationTimeout()]) }
        lookAtSession(of: stream, context)
    }

    private func lookAtStream(in duration: Duration, _ context: ChannelHandlerContext) {
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: TimeAmount(duration)) { connection.value.lookAtStream() }
    }

    private func watchSession(of stream: HTTPStream, _ context: ChannelHandlerContext) {
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        stream.stopWatching = stream.session?.onSessionEnd {
            eventLoop.execute { connection.value.lookAtStream() }
        }
        lookAtSession(of: stream, context)
    }

    /// A source stream ends with its session. What is answered once is answered still: it may be what ended the session.
    private func lookAtSession(of stream: HTTPStream, _ context: ChannelHandlerContext) {
        guard let session = stream.session, stream.progress.source != nil, !stream.isFinished else { return }
        guard session.hasSessionEnded else {
            if let next = session.nextLook { lookAtStream(in: next, context) }
            return
        }
        if let concludeBy = stream.concludeBy ?? (stream.conclude == nil ? .now() : nil) {
            if concludeBy <= .now() { end(stream, [.sessionEnded().with(cursor: stream.progress.position)]) }
            return
        }
        stream.concludeBy = .now() + settings.streams.conclusionTimeout
        stream.conclude?()
    }

    func keepStreamAlive() {
        deadlines.current = .now() + settings.streams.keepAlive
        guard let stream, stream.queue.isEmpty else { return }
        let position = StreamProgress.resting([stream.progress])
        if let keepAlive = stream.format.keepAlive(at: position) { stream.queue.append(keepAlive) }
    }

    /// The operation took too long before there was anything to send.
    func timeOut(_ stream: HTTPStream, _ context: ChannelHandlerContext) {
        guard let head else { return }
        refuse([.operationTimeout()], OperationSummary(), stream, head, context)
    }

    /// An event stream ends without `complete`, so that its client comes back; Apollo's protocol has an error for it.
    func drainStream() {
        guard let stream, stream.isOpen, !stream.isFinished else { return }
        switch stream.format {
        case .multipart: end(stream, [.serverStops().with(cursor: stream.progress.position)])
        // It has an end of its own, soon.
        case .incremental: return
        case .eventStream where stream.isInParts: return
        case .eventStream:
            if let position = StreamProgress.resting([stream.progress]) {
                stream.queue.append(EventStreamMessage.keepAlive(at: position))
            }
            stream.stopReading()
            stream.isFinished = true
            writeEvents()
        }
    }
}

extension GraphQLAnswer {
    /// GraphQL over HTTP: 5.3 GET, "must not execute mutations"
    static let mutationByGET = GraphQLAnswer.refusal(
        .methodNotAllowed, "A mutation is sent by POST.", headers: [("Allow", "POST")])
}

import GraphQL
import NIOCore

/// Runs an operation of a client, and hands its responses to the outlet of its protocol. It ends the operation at its
/// deadline, at the end of the client's session, or when the client does not read. All its methods are called on one
/// event loop.
final class OperationSession<Outlet: OperationOutlet>: Ticking {
    /// The part that ends the operation when the client's session ends.
    enum SessionWatch {
        /// The operation watches the session of its own request.
        case own
        /// The outlet watches a session that all its operations share.
        case outlets
    }

    private enum Phase {
        /// Until the operation has answered or streams. The task is nil before its first suspension.
        case starting(Task<Void, Never>?)
        /// The reader is nil until the task that created the source stream has ended.
        case streaming(EventReader?)
        case ended
    }

    private let environment: TransportEnvironment
    private let executor: EventLoopExecutor
    private let watch: SessionWatch
    /// nil once the operation has ended.
    private var outlet: Outlet?
    private var phase = Phase.starting(nil)
    /// When a query or mutation must have sent its last response, or a subscription must have its source stream.
    private var deadline: NIODeadline
    private(set) var progress = StreamProgress()
    private var session: (any SessionContext)?
    /// Ends the watch over the session.
    private var stopWatching: (@Sendable () -> Void)?
    /// Makes the source send its last events and end; nil where it has no such events.
    private var sourceConclusion: (@Sendable () -> Void)?
    /// When the source must have ended after the end of its session; nil while the session lasts.
    private var concludeBy: NIODeadline?

    init(
        _ outlet: Outlet, watch: SessionWatch = .own, on executor: EventLoopExecutor,
        _ environment: TransportEnvironment
    ) {
        self.outlet = outlet
        self.watch = watch
        self.executor = executor
        self.environment = environment
        deadline = .now() + environment.settings.limits.executionTimeout
    }

    var hasEnded: Bool { outlet == nil }

    /// The cursor from which the client resumes if no more events are sent; nil without one.
    var position: String? { progress.position }

    // MARK: - Running

    /// Starts the operation. A response that needs no waiting is sent before this call returns.
    func start(_ request: GraphQLRequest, _ head: RequestHead, format: IncrementalFormat = .current) {
        let endpoint = environment.endpoint
        start(head) { deliver in await endpoint.perform(request, head, format: format, deliver: deliver) }
    }

    func start(_ head: RequestHead, _ operation: @escaping OperationRun) {
        guard let queue = outlet?.queue else { return }
        let eventLoop = executor.eventLoop
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let runner = OperationRunner(telemetry: environment.telemetry)
        let deliver: @Sendable (OperationEvent) async -> Bool = { event in
            if event.waitsForRoom, await !queue.room(on: eventLoop) {
                await eventLoop.perform { bound.value.stall() }
                return false
            }
            return await eventLoop.perform { bound.value.deliver(event) }
        }
        let task = Task.immediate(executorPreference: executor) {
            guard let events = await runner.run(operation, head, deliver: deliver) else { return }
            await eventLoop.perform { bound.value.read(events, deliver) }
        }
        guard case .starting = phase else { return }
        phase = .starting(task)
        executor.clock.add(self)
    }

    /// Reads the events in another task, since the operation's task has a deep stack.
    private func read(_ events: OperationEvents, _ deliver: @escaping @Sendable (OperationEvent) async -> Bool) {
        guard case .streaming = phase else { return }
        let bound = NIOLoopBound(self, eventLoop: executor.eventLoop)
        let reader = EventReader(events, on: executor, deliver: deliver, hand: { bound.value.hand($0) })
        phase = .streaming(reader)
        reader.start()
    }

    /// Ends the operation: its tasks are cancelled, and nothing more is sent.
    func end() {
        switch phase {
        case .starting(let task): task?.cancel()
        case .streaming(let reader): reader?.stop()
        case .ended: return
        }
        phase = .ended
        outlet = nil
        stopWatching?()
        stopWatching = nil
        executor.clock.remove(self)
    }

    // MARK: - Delivering

    /// - Returns: whether the operation goes on.
    private func deliver(_ event: OperationEvent) -> Bool {
        guard let outlet else { return false }
        switch event {
        case .accepted(let summary, let session, let headers):
            self.session = watch == .own ? session : nil
            if !outlet.accept(summary, headers: headers) { end() }
        case .refused(let errors, let summary): fail(errors, summary)
        case .response(let response):
            end()
            outlet.respond(response)
        case .part(let response, let hasNext):
            if !hasNext { end() }
            outlet.send(part: response, isLast: !hasNext)
        case .streaming(let position, let conclude):
            phase = .streaming(nil)
            deadline = .distantFuture
            progress.source = position
            sourceConclusion = conclude
            outlet.beginStream(sendsLastEvents: conclude != nil)
            if !hasEnded { watchSession() }
        // A request error is the failure of the source, after which no event follows.
        case .event(let response) where response.isRequestError: fail(response.errors)
        case .event(let response):
            progress.note(response)
            outlet.send(event: response)
        case .completed:
            end()
            outlet.complete()
        }
        return !hasEnded
    }

    private func hand(_ response: SharedResponse) -> Bool {
        guard let outlet else { return true }
        guard outlet.send(shared: response) else { return false }
        progress.note(response.response)
        environment.telemetry.streams.events.increment()
        return true
    }

    private func stall() {
        if hasEnded { return }
        environment.telemetry.streams.stalls.increment()
        fail([.clientDoesNotRead().with(cursor: position)])
    }

    private func fail(_ errors: [GraphQLError], _ summary: OperationSummary = OperationSummary()) {
        guard let outlet else { return }
        end()
        outlet.fail(errors, summary)
    }

    // MARK: - Deadline and session

    func tick(at now: NIODeadline) {
        if deadline <= now { return fail([.operationTimeout()]) }
        checkSession(at: now)
    }

    /// Watches the end of the session. A subscription without a session has no deadline, and leaves the clock.
    private func watchSession() {
        guard let session else { return executor.clock.remove(self) }
        executor.clock.add(self)
        let eventLoop = executor.eventLoop
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        stopWatching = session.onSessionEnd {
            eventLoop.execute { bound.value.checkSession(at: .now()) }
        }
        checkSession(at: .now())
    }

    /// A source stream ends with its session. A query or mutation is still answered: it may have ended the session.
    private func checkSession(at now: NIODeadline) {
        guard let session, case .streaming = phase else { return }
        guard session.hasSessionEnded else {
            if let next = session.nextSessionCheck { executor.clock.wake(self, at: now + TimeAmount(next)) }
            return
        }
        if let concludeBy = concludeBy ?? (sourceConclusion == nil ? now : nil) {
            if concludeBy <= now { fail([.sessionEnded().with(cursor: position)]) }
            return
        }
        concludeBy = now + environment.settings.streams.conclusionTimeout
        conclude()
    }

    /// The session has ended: makes the source send its last events and end.
    func conclude() { sourceConclusion?() }
}

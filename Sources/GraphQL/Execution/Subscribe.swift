/// The outcome of a request to subscribe.
/// Spec: 6.2.3 Subscription
public enum SubscriptionStart<Context: ExecutionContext>: Sendable {
    /// The source stream was created. The response stream has a response for each event of the source stream.
    case stream(ResponseStream<Context>)
    /// The source stream could not be created. The response has errors and no data.
    case refused(Response)
}

/// Makes the observer of an event's execution; nil for an event that is not observed.
public typealias ObserveEvent = @Sendable () -> (any ExecutionObserver)?

/// Creates the source stream of a subscription and maps it to responses.
///
/// - Parameters:
///   - plan: the plan for the variables' condition mask.
///   - variables: coerced values by name.
///   - context: the context of the request.
///   - observer: observes the creation of the source stream.
///   - observeEvent: makes the observer of one event's execution, which may serve many subscribers; nil for an event
///     that is not observed.
/// - Throws: `CancellationError` when the task is cancelled.
/// Spec: 6.2.3 Subscription, Subscribe
public func subscribe<Context: ExecutionContext>(
    _ plan: Plan<Context>, variables: [String: InputValue], context: Context,
    observer: (any ExecutionObserver)? = nil, observeEvent: ObserveEvent? = nil
) async throws(CancellationError) -> SubscriptionStart<Context> {
    do {
        let source = try await observed(by: observer) {
            try await createSourceEventStream(plan, variables, context)
        }
        return .stream(mapSourceToResponseEvent(source, plan, variables, context, observeEvent))
    } catch {
        if Task.isCancelled { throw CancellationError() }
        let masked = error as? ExecutionError ?? context.executionError(for: error)
        return .refused(Response(plan.operation.refusal(masked)))
    }
}

/// Spec: 6.2.3.1 Source Stream, CreateSourceEventStream
private func createSourceEventStream<Context: ExecutionContext>(
    _ plan: Plan<Context>, _ variables: [String: InputValue], _ context: Context
) async throws -> SourceEventStream {
    guard let field = plan.operation.selections[0].fields.first, case .stream(let open, _) = field.resolution else {
        throw ExecutionError("The operation subscribes to nothing.", code: .badRequest)
    }
    let execution = Execution(plan.operation, variables: variables, context: context)
    return try await open(try execution.input(of: field).get())
}

/// Spec: 6.2.3.2 Response Stream, MapSourceToResponseEvent
private func mapSourceToResponseEvent<Context: ExecutionContext>(
    _ sourceStream: SourceEventStream, _ plan: Plan<Context>, _ variables: [String: InputValue], _ context: Context,
    _ observeEvent: ObserveEvent?
) -> ResponseStream<Context> {
    ResponseStream(
        source: sourceStream,
        execution: EventExecution(plan.operation, variables: variables, context: context, observeEvent))
}

/// The responses of a subscription, one for each event, in the order of the events. The stream ends with the source.
/// After an error of the source the last response has that error and no data.
public struct ResponseStream<Context: ExecutionContext>: AsyncSequence, Sendable {
    let source: SourceEventStream
    private let execution: EventExecution<Context>

    fileprivate init(source: SourceEventStream, execution: EventExecution<Context>) {
        self.source = source
        self.execution = execution
    }

    /// The subscriber's position; nil where it is not known, or if a subscriber cannot resume. A response counts as
    /// processed when the subscriber asks for the next one.
    public var position: StreamPosition? { source.resumable?.position }

    /// Makes the source send its last events and end; nil if the source is no `ConcludingEvents`.
    public var conclude: (@Sendable () -> Void)? {
        guard let events = source.concluding else { return nil }
        return { events.conclude() }
    }

    /// Ends the parking that `Iterator.park` began: the source releases the sink.
    public func stop() { source.parking?.stop() }

    public func makeAsyncIterator() -> Iterator { Iterator(source, execution) }

    public struct Iterator: AsyncIteratorProtocol {
        private let source: SourceEventStream
        private let execution: EventExecution<Context>
        private let events: SourceEventStream.EventIterator
        private var isFinished = false

        fileprivate init(_ source: SourceEventStream, _ execution: EventExecution<Context>) {
            self.source = source
            self.execution = execution
            events = source.makeIterator()
        }

        /// Parks the stream: each later response is written to the sink, or the sink is woken. After a wake a new
        /// iterator reads on from the last event that was delivered. `stop` ends the parking.
        /// - Returns: false if the stream has ended, if a response is ready to be read already, or if the source cannot
        ///   park subscribers.
        public func park(_ sink: any ResponseSink) -> Bool {
            guard !isFinished, let parking = source.parking else { return false }
            return parking.park(sink, execution.key) { [execution] in try await execution.executeForAll($0) }
        }

        public mutating func next() async throws(CancellationError) -> Response? {
            if isFinished { return nil }
            do {
                guard let event = try await events.next() else {
                    isFinished = true
                    return nil
                }
                return try await execution.execute(event)
            } catch {
                isFinished = true
                if Task.isCancelled { throw CancellationError() }
                let masked = error as? ExecutionError ?? execution.context.executionError(for: error)
                return Response(execution.plan.refusal(masked))
            }
        }
    }
}

/// The execution of a subscription's events, one by one.
private final class EventExecution<Context: ExecutionContext>: Sendable {
    let plan: OperationPlan
    let variables: [String: InputValue]
    let context: Context
    let key: SelectionKey
    private let observeEvent: ObserveEvent?

    init(
        _ plan: OperationPlan, variables: [String: InputValue], context: Context, _ observeEvent: ObserveEvent?
    ) {
        self.observeEvent = observeEvent
        self.plan = plan
        self.variables = variables
        self.context = context
        key = SelectionKey(plan, variables: variables)
    }

    /// The response for this subscriber. It is the audience's response if both the event and the selection are shared.
    func execute(_ event: SourceEventStream.Event) async throws -> Response {
        if let response = try await response(toAllOf: event) { return response }
        return try await Self.execute(plan, event.complete(), variables, context, observeEvent?()).following(event)
    }

    /// The response for every subscriber in the audience.
    /// - Throws: if the event or the selection is not shared. A response that was executed with one subscriber's
    ///   context must not reach another subscriber.
    func executeForAll(_ event: SourceEventStream.Event) async throws -> Response {
        guard let response = try await response(toAllOf: event) else { throw UnsharedEvent() }
        return response
    }

    /// The response for the audience; nil if the event has no audience, or if a selected field is personal.
    private func response(toAllOf event: SourceEventStream.Event) async throws -> Response? {
        guard plan.sharesEvents, let audience = event.audience else { return nil }
        return try await unsafeDowncast(audience, to: EventAudience<Context>.self)
            .response(key) { [plan, variables, observeEvent, complete = event.complete] context in
                try await Self.execute(plan, complete(), variables, context, observeEvent?())
            }.following(event)
    }

    private static func execute(
        _ plan: OperationPlan, _ event: CompletedColumn, _ variables: [String: InputValue], _ context: Context,
        _ observer: (any ExecutionObserver)?
    ) async throws(CancellationError) -> Response {
        let execution = Execution(plan, variables: variables, context: context, observer: observer)
        return try await observed(by: observer) { () async throws(CancellationError) in
            let root = try await execution.executeEvent(event)
            return Response(execution, root, extensions: InputObject())
        }
    }
}

private struct UnsharedEvent: Error {}

extension Response {
    fileprivate func following(_ event: SourceEventStream.Event) -> Response {
        var response = self
        response.position = event.position
        response.onReceipt = event.onReceipt
        return response
    }
}

extension OperationPlan {
    /// The request error of a source stream that could not be created, or that threw.
    fileprivate func refusal(_ error: ExecutionError) -> RequestError {
        let field = selections[0].fields.first
        let path = field.map { [PathElement.key($0.responseName)] } ?? []
        let locations = field?.locations.filter { $0 != .none }.map(source.location(of:)) ?? []
        return RequestError([
            GraphQLError(error.message, locations: locations, path: path, extensions: error.extensions)
        ])
    }
}

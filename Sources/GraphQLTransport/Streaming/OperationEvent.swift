import GraphQL

/// A step of an operation. The first step is `accepted`. A query or mutation goes on with one `response`, or with
/// several `part`, of which the last has no next. A subscription goes on with `streaming`, any number of `event`, and
/// `completed`; an `event` with a request error ends it without `completed`. `refused` ends an operation in place of
/// `accepted`, of `streaming`, or of the first response. No step follows after the operation is cancelled.
enum OperationEvent: Sendable {
    /// The operation cannot be executed, or its source stream cannot be created.
    case refused([GraphQLError], OperationSummary)
    /// The operation is about to run. A receiver can still refuse it. `headers` returns the response's headers. They
    /// depend on how far the operation has run at the time of the call.
    case accepted(
        OperationSummary, session: (any SessionContext)?, headers: @Sendable () -> [(name: String, value: String)])
    /// The only response of a query or mutation, or of an operation of any type that the client only asks to check.
    case response(GraphQL.Response)
    /// A response of a query or mutation that has several.
    case part(GraphQL.Response, hasNext: Bool)
    /// The source stream of a subscription was created. `position` reads the current position of the stream. `conclude`
    /// makes the stream send its last events and end after its session has ended; nil where it has no such events.
    case streaming(position: @Sendable () -> StreamPosition?, conclude: (@Sendable () -> Void)?)
    case event(GraphQL.Response)
    case completed
}

/// The events of a subscription and its end. They are read in a task of their own, since the task that created the
/// source stream has a deep stack, which it would hold as long as the subscription lasts.
final class OperationEvents: Sendable {
    typealias Read =
        @Sendable (_ sink: (any ResponseSink)?, _ deliver: @Sendable (OperationEvent) async -> Bool) async -> Void

    /// Reads and delivers events. It returns after the last event, when `deliver` returns false, or when the task is
    /// cancelled. With a sink it also returns when no event is ready; the sink is woken for the next.
    let read: Read
    /// Ends the subscription, and releases the sink.
    let stop: @Sendable () -> Void
    private let streams: StreamMetrics?

    init(read: @escaping Read, stop: @escaping @Sendable () -> Void) {
        self.read = read
        self.stop = stop
        streams = nil
    }

    /// The same events, counted by the metrics.
    init(_ events: OperationEvents, in streams: StreamMetrics) {
        read = { sink, deliver in
            await events.read(sink) { event in
                if case .event = event { streams.events.increment() }
                return await deliver(event)
            }
        }
        stop = events.stop
        self.streams = streams
        streams.subscriptions.increment()
    }

    deinit { streams?.subscriptions.decrement() }
}

extension OperationEvent {
    /// True where the event waits for room in the queue. The number of operations does not bound such events, which
    /// would pile up for a client that does not read.
    var waitsForRoom: Bool {
        switch self {
        case .event, .part: true
        case .refused, .accepted, .response, .streaming, .completed: false
        }
    }
}

/// The outcome of checking a client's credentials: granted in a session or without one, or refused.
enum Authentication: Sendable {
    case granted((any SessionContext)?)
    case refused([GraphQLError])
}

extension GraphQLError {
    static func clientDoesNotRead() -> GraphQLError {
        GraphQLError("Events came faster than they were read. Subscribe again.", code: .timeout)
    }

    static func operationTimeout() -> GraphQLError { GraphQLError("The operation took too long.", code: .timeout) }

    static func sessionEnded() -> GraphQLError { GraphQLError("The session has ended.", code: .unauthenticated) }

    static func serverStops() -> GraphQLError { GraphQLError("The server stops. Subscribe again.", code: .unavailable) }

    static func tooManyOperations(_ limit: Int) -> GraphQLError {
        ExecutionError(
            "A connection has at most \(limit) operations at once.", code: .rateLimited,
            extensions: [(name: "retryAfter", value: .int(1))]
        ).requestError
    }
}

extension ExecutionError {
    /// The error as a request error, for a response without data.
    var requestError: GraphQLError { GraphQLError(message, extensions: extensions) }
}

import GraphQL

/// A step of an operation. The steps come in this order: `accepted`, then either `response`, or `part` until one has no
/// next, or `streaming`, any number of `event` and `completed`. `refused` may come at any place before the first
/// response. No step follows after the operation is cancelled.
enum OperationEvent: Sendable {
    /// The operation cannot be executed, or its source stream cannot be created.
    case refused([GraphQLError], OperationSummary)
    /// The operation is about to run. A receiver can still refuse it. `headers` gives the response's headers, which
    /// depend on how far the operation has run when it is called.
    case accepted(
        OperationSummary, session: (any SessionContext)?, headers: @Sendable () -> [(name: String, value: String)])
    /// The only response of a query or mutation.
    case response(GraphQL.Response)
    /// A response of a query or mutation that has several.
    case part(GraphQL.Response, hasNext: Bool)
    /// The source stream of a subscription was created; its place is asked for while it lasts. `conclude` has it give what
    /// it owes and complete, once its session has ended; nil where it can be ended without that.
    case streaming(position: @Sendable () -> StreamPosition?, conclude: (@Sendable () -> Void)?)
    case event(GraphQL.Response)
    case completed
}

/// The events of a subscription and its end. They are read in a task of their own: the stack of the one that created the
/// source stream is deep, and would be kept for as long as they last.
final class OperationEvents: Sendable {
    typealias Read =
        @Sendable (_ sink: (any ResponseSink)?, _ deliver: @Sendable (OperationEvent) async -> Bool) async -> Void

    /// Ends with the last event, when the receiver says no, or when the task is cancelled; or while there is nothing to
    /// read, where there is a sink, which is then woken to read on.
    let read: Read
    /// Lets go of the sink.
    let stop: @Sendable () -> Void
    private let streams: StreamMetrics?

    init(read: @escaping Read, stop: @escaping @Sendable () -> Void) {
        self.read = read
        self.stop = stop
        streams = nil
    }

    /// The same, counted.
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
    /// Whether the event waits for room in the queue: the number of operations does not bound such events, and they
    /// would pile up for a client that does not read.
    var waitsForRoom: Bool {
        switch self {
        case .event, .part: true
        case .refused, .accepted, .response, .streaming, .completed: false
        }
    }
}

/// Whether a connection may be used, and in which session.
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
    /// The same outside of a response's data.
    var requestError: GraphQLError { GraphQLError(message, extensions: extensions) }
}

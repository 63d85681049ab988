/// A source of events whose subscribers need no task while there is no event. A subscriber leaves a reader with the
/// source, and the source writes the responses to the events that follow to the reader's sink.
public protocol ParkableEvents: ResumableEvents, AsyncSequence where Element: SharedEvent {
    /// Parks a reader: the response to each later event is written to the reader's sink, or the sink is woken. A
    /// subscriber that was woken reads from a new iterator, which begins after the last event that was delivered.
    /// - Returns: false if an event is ready to be read already.
    func park(_ reader: ParkedReader<Element>) -> Bool

    /// Releases the reader that `park` was given: the subscription has ended.
    func stop()
}

/// The destination of the responses of one subscription: a transport's queue.
public protocol ResponseSink: AnyObject, Sendable {
    /// The executor on which `write` is called. The sinks of one thread have the same executor.
    var executor: any TaskExecutor { get }

    /// Takes a response.
    /// - Returns: false if the queue has no room. The source then wakes the sink, so that a task waits for room.
    func write(_ response: SharedResponse) -> Bool

    /// Called when there is an event that a task has to read.
    func wake()
}

/// A response that many sinks share.
public final class SharedResponse {
    public let response: Response
    /// The response as the last sink has encoded it, for sinks that encode it alike.
    public var encoded: AnyObject?

    init(_ response: Response) { self.response = response }
}

/// The key of the readers that get the same response to an event with an audience, on the same thread.
public struct ParkedGroup: Hashable, Sendable {
    let selection: SelectionKey
    let executor: ObjectIdentifier
}

/// A subscriber that has received every event so far and waits without a task.
public struct ParkedReader<Event: SharedEvent>: Sendable {
    public let group: ParkedGroup
    public let sink: any ResponseSink
    private let respond: @Sendable (Event) async throws -> Response

    init(
        _ sink: any ResponseSink, _ selection: SelectionKey,
        respond: @escaping @Sendable (Event) async throws -> Response
    ) {
        self.sink = sink
        self.respond = respond
        group = ParkedGroup(selection: selection, executor: ObjectIdentifier(sink.executor))
    }

    /// The response to an event, which the caller writes to the sinks of all readers of the group.
    /// - Throws: if the event has no audience, or if a selected field is personal.
    public func response(to event: Event) async throws -> SharedResponse {
        SharedResponse(try await respond(event))
    }
}

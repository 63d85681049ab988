/// A source of events whose subscribers take no task while there is no event: a subscriber leaves a reader, to which
/// the source hands the response to the next event.
public protocol ParkableEvents: ResumableEvents, AsyncSequence where Element: SharedEvent {
    /// Writes the responses to the events from now on to the reader's sink, or wakes the sink. A reader that is woken
    /// goes on with another iterator of the sequence, which begins where the last one was.
    /// - Returns: false where there is an event to read already.
    func park(_ reader: ParkedReader<Element>) -> Bool

    /// Releases the reader that `park` was given: the subscription has ended.
    func stop()
}

/// The destination of the responses of one subscription: a transport's queue.
public protocol ResponseSink: AnyObject, Sendable {
    /// The executor on which `write` is called; the sinks of one thread have the same.
    var executor: any TaskExecutor { get }

    /// Takes a response.
    /// - Returns: false where there is no room for it: a task would wait for some.
    func write(_ response: SharedResponse) -> Bool

    /// Tells that there is an event which a task has to read.
    func wake()
}

/// A response that many sinks share.
public final class SharedResponse {
    public let response: Response
    /// The response as the last sink has encoded it, for sinks that encode it alike.
    public var encoded: AnyObject?

    init(_ response: Response) { self.response = response }
}

/// Readers of one group get the same response to an event with an audience, on the same thread.
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
    /// - Throws: if the event is not the same for everybody who reads it.
    public func response(to event: Event) async throws -> SharedResponse {
        SharedResponse(try await respond(event))
    }
}

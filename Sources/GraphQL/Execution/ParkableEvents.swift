/// A source of events whose subscribers take no task while there is no event: a subscriber leaves a reader, to which
/// the source hands the next event.
public protocol ParkableEvents<Occurrence>: ResumableEvents, AsyncSequence where Element: SharedEvent {
    /// The source's own form of an event, before it is made for a group of subscribers.
    associatedtype Occurrence: Sendable

    /// The event that the sequence would give for an occurrence.
    func event(of occurrence: Occurrence) async throws -> Element

    /// Hands what comes from now on to `reader`, or wakes it. A reader that is woken goes on with another iterator of
    /// the sequence, which begins where the last one was.
    /// - Returns: false where there is an event to read already.
    func park(_ reader: ParkedReader<Occurrence>) -> Bool

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

/// A subscriber that has received every event so far and waits without a task.
public final class ParkedReader<Occurrence: Sendable>: Sendable {
    /// Readers of one group get the same response to an event with an audience, on the same thread.
    public struct Group: Hashable, Sendable {
        let selection: SelectionKey
        let executor: ObjectIdentifier
    }

    public let group: Group
    private let sink: any ResponseSink
    private let respond: @Sendable (Occurrence) async throws -> Response

    init(
        _ sink: any ResponseSink, _ selection: SelectionKey,
        respond: @escaping @Sendable (Occurrence) async throws -> Response
    ) {
        self.sink = sink
        self.respond = respond
        group = Group(selection: selection, executor: ObjectIdentifier(sink.executor))
    }

    /// The executor on which `write` has to be called.
    public var executor: any TaskExecutor { sink.executor }

    /// The response to an occurrence, which the caller writes to all readers of the group.
    public func response(to occurrence: Occurrence) async throws -> SharedResponse {
        SharedResponse(try await respond(occurrence))
    }

    /// - Returns: false where the sink has no room for it.
    public func write(_ response: SharedResponse) -> Bool { sink.write(response) }

    /// Tells the sink that there is an event which a task has to read.
    public func wake() { sink.wake() }
}

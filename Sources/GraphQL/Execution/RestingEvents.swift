/// A source of events whose subscriber needs no task while there are none: it leaves word where the next are to go.
public protocol RestingEvents<Occurrence>: ResumableEvents, AsyncSequence where Element: SharedEvent {
    /// What an event is made of.
    associatedtype Occurrence: Sendable

    /// The event that the sequence would give for it.
    func event(of occurrence: Occurrence) async throws -> Element

    /// From now on `reader` is handed what comes, or woken to read the sequence on, which another iterator does from
    /// where the last one was.
    /// - Returns: false where there is something to read already.
    func rest(_ reader: RestingReader<Occurrence>) -> Bool

    /// Nobody reads any more; what `rest` was given is let go of.
    func stop()
}

/// Where the responses of a subscription go, one by one.
public protocol ResponseSink: AnyObject, Sendable {
    /// Whoever calls `write` runs on it. Those on one thread share it.
    var executor: any TaskExecutor { get }

    /// - Returns: false where there is no room for it: a task would wait for some.
    func write(_ response: SharedResponse) -> Bool

    /// There is something to be read by a task.
    func wake()
}

/// One response for many sinks, which need not all encode it.
public final class SharedResponse {
    public let response: Response
    /// What the last sink made of it.
    public var encoded: AnyObject?

    init(_ response: Response) { self.response = response }
}

/// A subscriber that has had every event so far.
public final class RestingReader<Occurrence: Sendable>: Sendable {
    /// Those of the same group get the same response to an event with an audience, on the same thread.
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

    /// Where `write` must be called.
    public var executor: any TaskExecutor { sink.executor }

    /// The response of everybody in the group, which the caller sees to.
    public func response(to occurrence: Occurrence) async throws -> SharedResponse {
        SharedResponse(try await respond(occurrence))
    }

    public func write(_ response: SharedResponse) -> Bool { sink.write(response) }

    public func wake() { sink.wake() }
}

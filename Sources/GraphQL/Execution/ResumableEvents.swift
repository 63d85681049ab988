/// A source of events whose subscribers can resume after a connection was lost.
public protocol ResumableEvents: Sendable {
    /// The subscriber's position in the stream; nil where it is not known. An event counts as processed when the
    /// subscriber asks for the next one.
    var position: StreamPosition? { get }
}

/// A place in a stream of events.
public struct StreamPosition: Sendable, Equatable {
    /// The cursor from which a client resumes after it has received everything that was sent so far.
    public let text: String
    /// True where the subscriber has no event left to receive. Otherwise an event may be in flight, and the position is
    /// the one before that event.
    public let isCaughtUp: Bool

    public init(_ text: String, isCaughtUp: Bool) {
        self.text = text
        self.isCaughtUp = isCaughtUp
    }
}

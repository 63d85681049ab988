/// A source of events whose subscribers can resume after a connection was lost.
public protocol ResumableEvents: Sendable {
    /// The subscriber's position in the stream; nil where it is not known. An event counts as dealt with when the next
    /// one is asked for.
    var position: StreamPosition? { get }
}

/// A place in a stream of events.
public struct StreamPosition: Sendable, Equatable {
    /// The cursor from which a client resumes that has received all that was sent so far.
    public let text: String
    /// Whether every event up to the position was sent. If not, an event may be under way, and the position is the one
    /// before it.
    public let isResting: Bool

    public init(_ text: String, isResting: Bool) {
        self.text = text
        self.isResting = isResting
    }
}

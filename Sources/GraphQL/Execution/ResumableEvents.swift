/// A source of events whose subscribers can break off and go on.
public protocol ResumableEvents: Sendable {
    /// Where a subscriber is now, if that is known. Whoever reads the events one by one has dealt with one when it asks
    /// for the next.
    var position: StreamPosition? { get }
}

/// A place in a stream of events.
public struct StreamPosition: Sendable, Equatable {
    /// From where a client goes on that has got what was sent so far.
    public let text: String
    /// Whether every event up to there was sent. If not, one may be under way, and the place is that before it.
    public let isResting: Bool

    public init(_ text: String, isResting: Bool) {
        self.text = text
        self.isResting = isResting
    }
}

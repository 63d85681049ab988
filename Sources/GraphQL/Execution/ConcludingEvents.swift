/// A source of events with something to say before its subscriber is parted from, as when the session ends in which it
/// subscribed.
public protocol ConcludingEvents: Sendable {
    /// The source gives the events that it owes, and ends. It may be told so more than once.
    func conclude()
}

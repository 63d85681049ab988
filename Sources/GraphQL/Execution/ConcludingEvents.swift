/// A source of events that may owe its subscriber a last event before the subscription is ended from outside, as when
/// the subscriber's session ends.
public protocol ConcludingEvents: Sendable {
    /// Sends the events that the source owes, and ends it. It may be called more than once.
    func conclude()
}

/// A source of events that has last events to send when its subscription is ended from outside, as when the
/// subscriber's session ends.
public protocol ConcludingEvents: Sendable {
    /// Sends the last events and ends the source. Callers may call it more than once.
    func conclude()
}

import GraphQL
import Postgres

/// The request of a subscriber, as far as the feed needs it.
public protocol ChangeContext: ExecutionContext {
    var changeLog: ChangeLog { get }
    /// nil for an anonymous viewer.
    var viewerID: UUID? { get }
    /// Names the connection whose subscriptions keep the order of the log among them; nil where there is only one.
    var connection: UInt64? { get }
    /// The cursor that the connection resumes from: of its subscriptions that name none themselves.
    var resumeAfter: String? { get }
}

extension ChangeContext {
    /// For a subscription, before anything is awaited: from then on the connection's others wait for this one. nil where
    /// there can be no other.
    public func takeSlot() -> SequencerSlot? {
        connection.map { changeLog.hub.sequencers.slot(on: $0, isResumed: resumeAfter != nil) }
    }
}

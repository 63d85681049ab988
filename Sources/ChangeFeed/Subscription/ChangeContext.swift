import GraphQL
import Postgres

/// The part of a request's context that the feed needs.
public protocol ChangeContext: ExecutionContext {
    var changeLog: ChangeLog { get }
    /// The id of the viewer's account; nil for a request that is signed out.
    var viewerID: UUID? { get }
    /// The client connection within which the changes of all subscriptions keep the order of the log; nil where a
    /// subscription is alone on its connection.
    var clientConnectionID: UInt64? { get }
    /// The cursor from which those subscriptions of the client connection begin that have no argument `after`.
    var resumeAfter: String? { get }
}

extension ChangeContext {
    /// Takes a slot for a subscription, before anything is awaited: from then on the connection's other subscriptions
    /// wait for this one. nil where the subscription is alone on its connection.
    public func takeSlot() -> SequencerSlot? {
        clientConnectionID.map { changeLog.hub.sequencers.slot(on: $0, isResumed: resumeAfter != nil) }
    }
}

/// A subscriber of any type of scope, as the code that sends events uses it.
public protocol ChangeSubscription<Context, Object>: AnyObject, Sendable {
    associatedtype Context: ChangeContext
    associatedtype Object: Sendable

    /// The change as it concerns the subscription; nil if it does not. Changes have to be given in the order of the
    /// log.
    func match(_ change: SharedChange) -> MatchedChange?

    /// The changes of the scope's objects by a bulk visibility change.
    /// - Throws: CURSOR_EXPIRED if more than 256 objects are concerned, or the log has too many newer rows about them.
    func changes(
        of bulk: BulkVisibilityChange, _ change: SharedChange, _ context: Context
    ) async throws -> [MatchedChange]

    /// True where this viewer, at present, sees the change as all others do to whom the hub has offered it.
    func isShared(_ change: MatchedChange) -> Bool

    /// The kind of event to send for a change, given the object as the viewer sees it now; nil if the client gets no
    /// event.
    func kindToSend(_ change: MatchedChange, _ object: Object?, _ hub: ChangeHub) -> ChangeKind?
}

extension ChangeSubscriber: ChangeSubscription {
    public func changes(
        of bulk: BulkVisibilityChange, _ change: SharedChange, _ context: Context
    ) async throws -> [MatchedChange] {
        try await changes(of: bulk, change, context, limit: Self.bulkLimit)
    }
}

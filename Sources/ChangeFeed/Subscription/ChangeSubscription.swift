/// A subscriber, whatever its scope.
public protocol ChangeSubscription<Context, Object>: AnyObject, Sendable {
    associatedtype Context: ChangeContext
    associatedtype Object: Sendable

    /// What a change is for it; nil where it is not concerned. Changes are given to it in the order of the log.
    func match(_ change: SharedChange) -> MatchedChange?

    /// What a bulk change does to the objects of its scope.
    /// - Throws: CURSOR_EXPIRED where there are more than 256.
    func changes(
        of bulk: BulkVisibilityChange, _ change: SharedChange, _ context: Context
    ) async throws -> [MatchedChange]

    /// Whether it sees in a change at present what everybody sees who was offered it.
    func isShared(_ change: MatchedChange) -> Bool

    /// What to tell of a change, from the object as the viewer sees it; nil where there is nothing to tell.
    func tell(_ change: MatchedChange, _ object: Object?) -> ChangeKind?
}

extension ChangeSubscriber: ChangeSubscription {
    public func changes(
        of bulk: BulkVisibilityChange, _ change: SharedChange, _ context: Context
    ) async throws -> [MatchedChange] {
        try await changes(of: bulk, change, context, limit: Self.bulkLimit)
    }
}

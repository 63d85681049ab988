import GraphQL
import Postgres
import Synchronization

/// One subscription: what it is about, and where its changes go.
final class ChangeSubscriber: Sendable {
    /// Changes that wait for a reader; one that falls behind further than this has to come back with its cursor.
    static let queueLimit = 1_000

    private struct State {
        var continuation: AsyncThrowingStream<MatchedChange, any Error>.Continuation?
        /// Older changes it has already.
        var after = ChangePosition(transaction: 0, row: 0)
        /// As of the changes that were matched, which come in the log's order.
        var memberships: Memberships?
    }

    let scope: ChangeScope
    let viewer: UUID?
    private let state: Mutex<State>

    /// - Parameter memberships: the viewer's where the changes begin, for a scope that needs them.
    init(scope: ChangeScope, viewer: UUID?, memberships: Memberships? = nil) {
        self.scope = scope
        self.viewer = viewer
        state = Mutex(State(memberships: memberships))
    }

    /// Those of now.
    var topics: [ChangeTopic] { scope.topics(state.withLock { $0.memberships }, viewer: viewer) }

    func match(_ change: SharedChange) -> MatchedChange? {
        let kind =
            if scope.needsMemberships {
                state.withLock { state in
                    let kind = scope.kind(of: change.change, for: viewer, state.memberships)
                    state.memberships?.apply(change.change, of: viewer)
                    return kind
                }
            } else {
                scope.kind(of: change.change, for: viewer, nil)
            }
        return kind.map { MatchedChange(shared: change, kind: $0) }
    }

    func start(_ continuation: AsyncThrowingStream<MatchedChange, any Error>.Continuation, after: ChangePosition) {
        state.withLock { state in
            state.continuation = continuation
            state.after = after
        }
    }

    /// - Returns: whether there was room for it.
    func offer(_ change: SharedChange) -> Bool {
        guard let matched = match(change) else { return true }
        let continuation = state.withLock { $0.after < change.cursor.position ? $0.continuation : nil }
        if case .dropped? = continuation?.yield(matched) { return false }
        return true
    }

    func finish(throwing error: ExecutionError) {
        state.withLock { $0.continuation }?.finish(throwing: error)
    }
}

/// A change, as one subscription is concerned.
struct MatchedChange: Sendable {
    let shared: SharedChange
    let kind: ChangeKind
}

extension ErrorCode {
    static let cursorExpired = ErrorCode(rawValue: "CURSOR_EXPIRED")
}

extension ExecutionError {
    static let cursorExpired = ExecutionError(
        "The log of changes does not go back to this cursor. Read the list again, and subscribe from its changeCursor.",
        code: .cursorExpired)
    static let fellBehind = ExecutionError(
        "More changes came than were read. Subscribe again after the last cursor that arrived.", code: .unavailable)
}

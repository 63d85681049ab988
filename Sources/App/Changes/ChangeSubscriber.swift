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
        /// Changes that its reader was given to wait for, and those that it has asked for.
        var offered = 0
        var asked = 0
        /// The change that its reader deals with, and the one before.
        var current: ChangeCursor?
        var sent: ChangeCursor?
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
        guard let continuation else { return true }
        // One task offers, so nothing comes between the count and the change.
        state.withLock { $0.offered += 1 }
        if case .dropped = continuation.yield(matched) { return false }
        return true
    }

    /// Its reader has dealt with the change that it got last.
    /// - Parameter asksLive: whether it waits for what is offered, having had everything else.
    func ask(live asksLive: Bool) {
        state.withLock { state in
            state.sent = state.current ?? state.sent
            state.current = nil
            if asksLive { state.asked += 1 }
        }
    }

    func give(_ cursor: ChangeCursor) { state.withLock { $0.current = cursor } }

    /// Whether its reader has dealt with every change so far, and waits.
    var isResting: Bool { state.withLock { $0.asked > $0.offered } }

    /// The change that its reader dealt with last.
    var sent: ChangeCursor? { state.withLock { $0.sent } }

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

extension ExecutionError {
    /// With the place to go on from as `extensions.cursor`.
    func with(cursor: ChangeCursor?) -> ExecutionError {
        guard let cursor else { return self }
        var error = self
        error.extensions.fields.append((name: "cursor", value: .string(cursor.text)))
        return error
    }
}

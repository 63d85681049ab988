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
        var visibility: ChangeVisibility
        /// What the comments are on is a draft again, of somebody else.
        var isSubjectHidden = false
    }

    let scope: ChangeScope
    let viewer: UUID?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - memberships: the viewer's where the changes begin, for a scope that needs them.
    ///   - visibility: whom the viewer sees nothing of there.
    init(
        scope: ChangeScope, viewer: UUID?, memberships: Memberships? = nil, visibility: ChangeVisibility = .everybody
    ) {
        self.scope = scope
        self.viewer = viewer
        state = Mutex(State(memberships: memberships, visibility: visibility))
    }

    /// Those of now.
    var topics: [ChangeTopic] {
        let topics = scope.topics(state.withLock { $0.memberships }, viewer: viewer)
        return scope.hearsOfBlocks ? topics + [viewer].compactMap { $0.map(ChangeTopic.blocks) } : topics
    }

    /// Changes are given to it in the order of the log, as blocks come and go among them.
    func match(_ change: SharedChange) -> MatchedChange? {
        let logged = change.change
        if logged.isBlock {
            // Who reads the log meets those of others, too.
            guard let viewer, logged.people.contains(viewer) else { return nil }
            return turn(by: change)
        }
        if case .comments(let subject, let owner) = scope, logged.object.uuid == subject {
            guard let isPublished = logged.isPublished, owner != viewer else { return nil }
            state.withLock { $0.isSubjectHidden = !isPublished }
            let turn = ChangeTurn(cause: .subject, isHidden: !isPublished)
            return MatchedChange(shared: change, kind: isPublished ? .added : .removed, turn: turn)
        }
        let kind =
            if scope.needsMemberships {
                state.withLock { state in
                    let kind = scope.kind(of: logged, for: viewer, state.memberships)
                    state.memberships?.apply(logged, of: viewer)
                    return kind
                }
            } else {
                scope.kind(of: logged, for: viewer, nil)
            }
        guard let kind, !hides(logged) else { return nil }
        return MatchedChange(shared: change, kind: kind)
    }

    private func turn(by change: SharedChange) -> MatchedChange? {
        // What is hidden is counted no more.
        if case .viewer = scope { return MatchedChange(shared: change, kind: .changed) }
        let turned = state.withLock { state in
            // Known already.
            if change.cursor.position <= state.after { return nil as (person: UUID, isHidden: Bool)? }
            return state.visibility.apply(change.change, inMail: scope.isMail)
        }
        guard let turned else { return nil }
        let turn = ChangeTurn(cause: .person(turned.person), isHidden: turned.isHidden)
        return MatchedChange(shared: change, kind: turned.isHidden ? .removed : .added, turn: turn)
    }

    /// Whether an object in this state is what the subscription is about, whoever is hidden.
    func includes(_ object: TypeID, _ state: ChangeState) -> Bool {
        scope.matches(object, state, viewer, self.state.withLock { $0.memberships })
    }

    private func hides(_ change: Change) -> Bool {
        state.withLock { state in
            if state.isSubjectHidden { return true }
            if state.visibility.isEmpty { return false }
            return scope.people(of: change).contains { state.visibility.hides($0, inMail: scope.isMail) }
        }
    }

    /// As far as is known.
    func isHidden(_ person: UUID) -> Bool {
        state.withLock { $0.visibility.willHide(person, inMail: scope.isMail) }
    }

    /// As it goes out: a block may have come since it was matched.
    func now(_ change: MatchedChange) -> MatchedChange {
        let isHidden = state.withLock { state in
            if state.visibility.isEmpty { return false }
            return scope.people(of: change.shared.change).contains {
                state.visibility.willHide($0, inMail: scope.isMail)
            }
        }
        return isHidden ? MatchedChange(shared: change.shared, kind: .removed, isHidden: true) : change
    }

    func start(_ continuation: AsyncThrowingStream<MatchedChange, any Error>.Continuation, after: ChangePosition) {
        state.withLock { state in
            state.continuation = continuation
            state.after = after
        }
    }

    enum Offered {
        case unconcerned, given
        /// There was no room for it.
        case overtaken
    }

    func offer(_ change: SharedChange) -> Offered {
        guard let matched = match(change) else { return .unconcerned }
        let continuation = state.withLock { $0.after < change.cursor.position ? $0.continuation : nil }
        guard let continuation else { return .unconcerned }
        // One task offers, so nothing comes between the count and the change.
        state.withLock { $0.offered += 1 }
        if case .dropped = continuation.yield(matched) { return .overtaken }
        return .given
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

    /// Changes that wait for its reader.
    var queued: Int { state.withLock { max(0, $0.offered - $0.asked) } }

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
    /// Where it is not one object that has changed.
    var turn: ChangeTurn?
    /// Whoever else may see the object, the viewer does not.
    var isHidden = false

    /// Of this subscription's alone.
    func withCursor(_ cursor: ChangeCursor) -> MatchedChange {
        MatchedChange(shared: SharedChange(shared.change, cursor: cursor), kind: kind, turn: turn)
    }
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

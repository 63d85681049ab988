import GraphQL
import Postgres
import Synchronization

/// One subscription: what it is about, and the changes that wait for its reader.
final class ChangeSubscriber: Sendable {
    /// Changes that wait for a reader; one that falls behind further than this has to come back with its cursor.
    static let queueLimit = 1_000

    typealias Reader = RestingReader<MatchedChange>

    private enum Reading {
        /// A task deals with what it has taken, or nobody is there.
        case busy
        /// A task waits for the next.
        case waiting(CheckedContinuation<MatchedChange?, any Error>)
        /// No task does. What is queued is on its way to the reader, in its order.
        case resting(Reader, ChangePlace?)
        /// The same, and a change is being handed to it.
        case receiving(Reader, ChangePlace?, needsTask: Bool)
    }

    private struct State {
        /// As of the changes that were matched, which come in the log's order.
        var memberships: Memberships?
        var visibility: ChangeVisibility
        /// Thoughts of somebody else that are drafts again, with the comments on them.
        var hiddenThoughts: Set<UUID> = []
        /// nil while older changes are read.
        var after: ChangePosition?
        var queue: ArraySlice<MatchedChange> = []
        /// What its reader gets once it has read the queue.
        var end: ExecutionError?
        /// Nobody reads any more.
        var isStopped = false
        var reading = Reading.busy
        /// Whether its reader has dealt with everything that it got, and looks for more in the queue.
        var isAsking = false
        /// The change that its reader deals with, and the one before.
        var current: ChangeCursor?
        var sent: ChangeCursor?

        mutating func take() -> Result<MatchedChange?, any Error>? {
            guard let change = pop() else { return isStopped ? .success(nil) : end.map { .failure($0) } }
            isAsking = false
            return .success(change)
        }

        /// What was popped is let go of no later than with the last.
        mutating func pop() -> MatchedChange? {
            defer { if queue.isEmpty { queue = [] } }
            return queue.popFirst()
        }

        /// Its reader is to look for itself.
        mutating func interrupt() -> (waiting: CheckedContinuation<MatchedChange?, any Error>?, resting: Reader?) {
            switch reading {
            case .busy: return (nil, nil)
            case .waiting(let continuation):
                reading = .busy
                return (continuation, nil)
            case .resting(let reader, _):
                reading = .busy
                return (nil, reader)
            case .receiving(let reader, let place, _):
                reading = .receiving(reader, place, needsTask: true)
                return (nil, nil)
            }
        }
    }

    let scope: ChangeScope
    let viewer: UUID?
    /// Whether what is selected depends on who asks.
    let isPersonal: Bool
    /// Of the comments that it names by their ids.
    let comments: [CommentPlace]
    private let state: Mutex<State>

    /// - Parameters:
    ///   - comments: of the comments that the scope names by their ids.
    ///   - memberships: the viewer's where the changes begin, for a scope that needs them.
    ///   - visibility: whom the viewer sees nothing of there.
    init(
        scope: ChangeScope, viewer: UUID?, isPersonal: Bool = true, comments: [CommentPlace] = [],
        memberships: Memberships? = nil, visibility: ChangeVisibility = .everybody
    ) {
        self.scope = scope
        self.viewer = viewer
        self.isPersonal = isPersonal
        self.comments = comments
        let hidden = comments.filter { $0.isDraft && !$0.isOn(thoughtOf: viewer) }
        state = Mutex(
            State(
                memberships: memberships, visibility: visibility, hiddenThoughts: Set(hidden.map(\.thoughtID))))
    }

    /// Those of now.
    var topics: [ChangeTopic] {
        let thoughts = Set(comments.map(\.thoughtID)).map(ChangeTopic.subject)
        let topics = scope.topics(state.withLock { $0.memberships }, viewer: viewer) + thoughts
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
        if let isPublished = logged.isPublished, hasComments(on: logged.object.uuid) {
            state.withLock { state in
                if isPublished {
                    state.hiddenThoughts.remove(logged.object.uuid)
                } else {
                    state.hiddenThoughts.insert(logged.object.uuid)
                }
            }
            let turn = ChangeTurn(cause: .thought(logged.object.uuid), isHidden: !isPublished)
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

    /// Whether it is about comments on somebody else's thought.
    private func hasComments(on thought: UUID) -> Bool {
        if case .comments(let subject, let owner) = scope { return subject == thought && owner != viewer }
        return comments.contains { $0.thoughtID == thought && !$0.isOn(thoughtOf: viewer) }
    }

    private func turn(by change: SharedChange) -> MatchedChange? {
        // What is hidden is counted no more.
        if case .viewer = scope { return MatchedChange(shared: change, kind: .changed) }
        let turned = state.withLock { state in
            // Known already.
            if let after = state.after, change.cursor.position <= after {
                return nil as (person: UUID, isHidden: Bool)?
            }
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
            let subject = (change.after ?? change.before)?.subjectID
            if let subject, state.hiddenThoughts.contains(subject) { return true }
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

    /// Whether it sees in a change what everybody sees who is given it.
    func isShared(_ change: Change) -> Bool {
        if isPersonal || change.object.kind.isPrivate || scope.isPersonal(change, to: viewer) { return false }
        return viewer == nil || (change.after ?? change.before)?.authorID != viewer
    }

    /// Whether the log alone tells what happened.
    func isSettled(_ change: MatchedChange) -> Bool {
        change.isHidden || scope.isSettled(change.kind, of: change.shared.change, for: viewer)
    }
}

extension ChangeSubscriber {
    // MARK: - From the log

    /// From now on it is offered what comes.
    /// - Parameter after: older changes it has already.
    func start(after: ChangePosition) {
        state.withLock { $0.after = after }
    }

    enum Offered {
        case unconcerned, given
        /// Its reader rests, and gets what others get.
        case shared(MatchedChange, Reader)
        /// Its reader is to be woken.
        case needsTask(Reader)
        /// There was no room for it.
        case overtaken
    }

    func offer(_ change: SharedChange) -> Offered {
        guard let matched = match(change) else { return .unconcerned }
        let isPlain = matched.turn == nil && !matched.isHidden && isShared(change.change) && isSettled(matched)
        var waiting: CheckedContinuation<MatchedChange?, any Error>?
        defer { waiting?.resume(returning: matched) }
        return state.withLock { state in
            guard let after = state.after, after < change.cursor.position, state.end == nil, !state.isStopped else {
                return .unconcerned
            }
            if state.queue.count >= Self.queueLimit {
                // At once, or the next would be taken for all that came.
                state.end = .fellBehind
                return .overtaken
            }
            switch state.reading {
            case .waiting(let continuation):
                state.reading = .busy
                state.isAsking = false
                waiting = continuation
                return .given
            case .busy:
                state.queue.append(matched)
                return .given
            case .resting(let reader, _):
                state.queue.append(matched)
                if isPlain { return .shared(matched, reader) }
                state.reading = .busy
                return .needsTask(reader)
            case .receiving(let reader, let place, let needsTask):
                state.queue.append(matched)
                if isPlain && !needsTask { return .shared(matched, reader) }
                state.reading = .receiving(reader, place, needsTask: true)
                return .given
            }
        }
    }

    /// It is offered nothing any more. `finish` tells its reader.
    func end(with error: ExecutionError) { state.withLock { $0.end = $0.end ?? error } }

    func finish(throwing error: ExecutionError) {
        let (waiting, resting) = state.withLock { state in
            state.end = state.end ?? error
            return state.interrupt()
        }
        waiting?.resume(throwing: error)
        resting?.wake()
    }

    // MARK: - To a task

    /// Its reader has dealt with the change that it got last.
    /// - Parameter asksLive: whether it waits for what is offered, having had everything else.
    func ask(live asksLive: Bool) {
        state.withLock { state in
            state.sent = state.current ?? state.sent
            state.current = nil
            state.isAsking = asksLive
        }
    }

    func give(_ cursor: ChangeCursor) { state.withLock { $0.current = cursor } }

    /// The oldest change that waits, or the next that comes; nil when the task is cancelled.
    func next() async throws -> MatchedChange? {
        if let now = state.withLock({ $0.take() }) { return try now.get() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let now = state.withLock { state -> Result<MatchedChange?, any Error>? in
                    if let now = state.take() { return now }
                    if Task.isCancelled { return .success(nil) }
                    state.reading = .waiting(continuation)
                    return nil
                }
                if let now { continuation.resume(with: now) }
            }
        } onCancel: {
            state.withLock { $0.interrupt().waiting }?.resume(returning: nil)
        }
    }

    /// Whether its reader has dealt with every change so far, and waits.
    var isResting: Bool { state.withLock { $0.isAsking && $0.queue.isEmpty && $0.end == nil } }

    /// Changes that wait for its reader.
    var queued: Int { state.withLock { $0.queue.count } }

    /// The change that its reader dealt with last.
    var sent: ChangeCursor? { state.withLock { $0.sent } }

    // MARK: - To a reader that rests

    /// - Returns: false where there is something for a task to read.
    func rest(_ reader: Reader, at place: ChangePlace?) -> Bool {
        let rests = state.withLock { state in
            guard state.after != nil, state.queue.isEmpty, state.end == nil, !state.isStopped else { return false }
            state.sent = state.current ?? state.sent
            state.current = nil
            state.isAsking = true
            state.reading = .resting(reader, place)
            return true
        }
        if rests { place?.ask(self) }
        return rests
    }

    /// Hands its reader the response to a change that it was offered as a shared one. Called on the reader's executor.
    func receive(_ change: MatchedChange, _ response: SharedResponse) {
        guard let (reader, place) = claim(change) else { return }
        let isDone = place?.isNext ?? true && !now(change).isHidden && reader.write(response)
        let rests = state.withLock { state in
            let wasInterrupted = if case .receiving(_, _, true) = state.reading { true } else { false }
            if isDone {
                state.sent = change.shared.cursor
                state.isAsking = true
            } else {
                state.queue.insert(change, at: state.queue.startIndex)
            }
            let rests = isDone && !wasInterrupted
            state.reading = rests ? .resting(reader, place) : .busy
            return rests
        }
        if rests { place?.ask(self) } else { reader.wake() }
    }

    /// - Returns: nil where a task reads by now, that change too.
    private func claim(_ change: MatchedChange) -> (Reader, ChangePlace?)? {
        state.withLock { state in
            guard case .resting(let reader, let place) = state.reading,
                state.queue.first?.shared === change.shared
            else { return nil }
            _ = state.pop()
            state.isAsking = false
            state.reading = .receiving(reader, place, needsTask: false)
            return (reader, place)
        }
    }

    /// There is no response to share: its reader finds out for itself, where it still rests.
    func fail(_ change: MatchedChange) {
        let reader = state.withLock { state -> Reader? in
            guard case .resting(let reader, _) = state.reading, state.queue.first?.shared === change.shared else {
                return nil
            }
            state.reading = .busy
            return reader
        }
        reader?.wake()
    }

    /// Nobody reads any more.
    func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            state.queue = []
            return state.interrupt().waiting
        }
        waiting?.resume(returning: nil)
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

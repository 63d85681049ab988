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
        var sight: ChangeSight
        var named: NamedObjects
        /// What came, and was hidden or gone when it could be told of: nobody needs to hear that it goes.
        var untold: Set<TypeID> = []
        /// The same of all that these people wrote, who were blocked again when the end of a block could be told of.
        var untoldPeople: Set<UUID> = []
        /// What was there when the log had it go, as it came again: its coming has a row of its own.
        var early: Set<TypeID> = []
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
    private let state: Mutex<State>

    /// - Parameters:
    ///   - named: for a scope that needs them, where the changes begin.
    ///   - memberships: the viewer's there, for a scope that needs them.
    ///   - visibility: whom the viewer sees nothing of there.
    init(
        scope: ChangeScope, viewer: UUID?, isPersonal: Bool = true, named: NamedObjects? = nil,
        memberships: Memberships? = nil, visibility: ChangeVisibility = .everybody
    ) {
        self.scope = scope
        self.viewer = viewer
        self.isPersonal = isPersonal
        let sight = ChangeSight(viewer: viewer, memberships: memberships, visibility: visibility)
        state = Mutex(State(sight: sight, named: named ?? NamedObjects(scope)))
    }

    /// Those of now.
    var topics: [ChangeTopic] {
        let (memberships, subjects) = state.withLock { ($0.sight.memberships, Array($0.named.commentSubjects)) }
        let topics = scope.topics(memberships, viewer: viewer) + subjects.map(ChangeTopic.subject)
        return scope.hearsOfBlocks ? topics + [viewer].compactMap { $0.map(ChangeTopic.blocks) } : topics
    }

    /// Changes are given to it in the order of the log, as blocks come and go among them.
    func match(_ change: SharedChange) -> MatchedChange? {
        state.withLock { state in
            let logged = change.change
            if logged.isBlock { return turn(by: change, &state) }
            switch scope {
            case .objects where NamedObjects.follow(logged.object.kind): return match(named: change, &state)
            case .comments(let subject, let owner) where logged.object.uuid == subject:
                state.named.apply(logged, state.sight)
                guard let isPublished = logged.isPublished, owner != viewer, !state.sight.hides(owner) else {
                    return nil
                }
                return turned(change, .thought(subject), isHidden: !isPublished, state)
            default: break
            }
            let kind = scope.kind(of: logged, for: viewer, state.sight.memberships)
            state.sight.memberships?.apply(logged, of: viewer)
            guard let kind, !hides(logged, state) else { return nil }
            return MatchedChange(change, kind)
        }
    }

    /// What the row does to the sight of each object that is named.
    private func match(named change: SharedChange, _ state: inout State) -> MatchedChange? {
        let logged = change.change
        let concerned = state.named.concerned(by: logged, for: viewer)
        let before = Set(concerned.filter { state.named.sees($0, state.sight) })
        state.named.apply(logged, state.sight)
        state.sight.memberships?.apply(logged, of: viewer)
        let after = Set(concerned.filter { state.named.sees($0, state.sight) })
        let turnedObjects = concerned.filter { before.contains($0) != after.contains($0) }
        if turnedObjects.contains(where: { $0 != logged.object }) {
            return turned(change, .names, isHidden: before.contains(turnedObjects[0]), state, turnedObjects)
        }
        guard concerned.contains(logged.object) else { return nil }
        return ChangeKind(before.contains(logged.object), after.contains(logged.object))
            .map { MatchedChange(change, $0) }
    }

    /// What a block does, or its end.
    private func turn(by change: SharedChange, _ state: inout State) -> MatchedChange? {
        // Who reads the log meets those of others, too.
        guard let viewer, change.change.people.contains(viewer) else { return nil }
        // What is hidden is counted no more.
        if case .viewer = scope { return MatchedChange(change, .changed) }
        // Known already.
        if let after = state.after, change.cursor.position <= after { return nil }
        let names = state.named.names.sorted { $0.uuid < $1.uuid }
        let before = names.map { state.named.sees($0, state.sight) }
        guard let turn = state.sight.visibility.apply(change.change) else { return nil }
        let after = names.map { state.named.sees($0, state.sight) }
        let objects = names.indices.filter { before[$0] != after[$0] }.map { names[$0] }
        switch scope {
        case .objects: if objects.isEmpty, !state.named.hasNotifications { return nil }
        case .comments(let subject, let owner):
            // Neither shows a comment that something else hides.
            guard state.named.seesSubject(subject, state.sight) || owner == turn.person else { return nil }
            if !state.named.seesSubject(subject, ChangeSight(viewer: viewer, visibility: .everybody)) { return nil }
        default: break
        }
        guard scope.isNamed || (scope.isMail ? turn.inMail : turn.outsideMail) else { return nil }
        return turned(change, .person(turn.person), isHidden: turn.isHidden, state, objects)
    }

    private func turned(
        _ change: SharedChange, _ cause: ChangeTurn.Cause, isHidden: Bool, _ state: State, _ objects: [TypeID] = []
    ) -> MatchedChange {
        let turn = ChangeTurn(
            cause: cause, isHidden: isHidden, objects: objects.map { ($0, state.named.state(of: $0)) },
            visibility: state.sight.visibility)
        return MatchedChange(change, isHidden ? .removed : .added, turn: turn)
    }

    /// Whether an object in this state is what the subscription is about, whoever is hidden.
    func includes(_ object: TypeID, _ state: ChangeState) -> Bool {
        scope.matches(object, state, viewer, self.state.withLock { $0.sight.memberships })
    }

    private func hides(_ change: Change, _ state: State) -> Bool {
        if case .comments(let subject, _) = scope, !state.named.seesSubject(subject, state.sight) { return true }
        if state.sight.visibility.isEmpty { return false }
        return scope.people(of: change).contains { state.sight.hides($0, inMail: scope.isMail) }
    }

    /// As far as is known.
    private func willHide(_ person: UUID, _ state: State) -> Bool {
        state.sight.visibility.willHide(person, inMail: scope.isMail)
    }

    /// Whether nothing of what a turn shows or hides is to be told: the end of a block that is followed by another, and that
    /// other.
    func passesOver(_ turn: ChangeTurn, by change: Change) -> Bool {
        guard case .person(let person) = turn.cause else { return false }
        return state.withLock { state in
            if turn.isHidden { return state.untoldPeople.remove(person) != nil }
            guard willHide(person, state) else { return false }
            if state.sight.visibility.isReadBefore(change) { state.untoldPeople.insert(person) }
            return true
        }
    }

    /// What to tell of a change: never more than the object as the viewer sees it when the change goes out, and that it is
    /// gone only where the log has it gone, once.
    /// - Parameter node: the object as the viewer sees it now.
    /// - Returns: nil where there is nothing to tell. What hid an object has a row of its own in the log.
    func tell(_ change: MatchedChange, _ node: Node?) -> ChangeKind? {
        let object = change.shared.change.object
        let isThere = node.map(scope.includes) ?? false
        return state.withLock { state in
            if change.kind != .removed || !isThere {
                state.early.remove(object)
            } else if state.early.count < Self.queueLimit {
                state.early.insert(object)
            }
            switch (change.kind, isThere) {
            case (_, true):
                let isNew = state.untold.remove(object) != nil || change.kind == .added
                return isNew ? .added : .changed
            case (.added, false):
                // What came before, the client may have read, whatever its cursor.
                let isNew = state.sight.visibility.isReadBefore(change.shared.change)
                if isNew, state.untold.count < Self.queueLimit { state.untold.insert(object) }
                return nil
            case (.changed, false):
                // Nobody whom a group of people is of can be seen any more.
                if change.shared.change.after == nil { return .removed }
                guard node != nil, scope.canBeLeftUnnoticed else { return nil }
                return state.untold.insert(object).inserted ? .removed : nil
            case (.removed, false):
                let isUntold = scope.people(of: change.shared.change).contains(where: state.untoldPeople.contains)
                return state.untold.remove(object) == nil && !isUntold ? .removed : nil
            }
        }
    }

    /// Whether the client has it already, though the log has it come later.
    func isEarly(_ object: TypeID) -> Bool { state.withLock { $0.early.contains(object) } }

    /// Whether it sees in a change what everybody sees who is offered it.
    func isShared(_ change: Change) -> Bool {
        if isPersonal || change.object.kind.isPrivate || scope.isPersonal(change, to: viewer) { return false }
        return viewer == nil || (change.after ?? change.before)?.authorID != viewer
    }

    /// Whether that is so now, as the change goes out: a block may have come since it was offered, or what was read for
    /// others may be old, as there is a newer change of the object.
    func isShared(_ change: MatchedChange) -> Bool {
        guard change.isAsOffered, isShared(change.shared.change) else { return false }
        return state.withLock { isShared($0, change) }
    }

    private func isShared(_ state: State, _ change: MatchedChange) -> Bool {
        let object = change.shared.change.object
        if state.untold.contains(object) || viewer.map(change.shared.isRead(beforeBlocksOf:)) ?? false { return false }
        if state.queue.contains(where: { change.shared.isRead(before: $0.shared) }) { return false }
        if state.sight.visibility.isEmpty { return true }
        return !scope.people(of: change.shared.change).contains { willHide($0, state) }
    }

    /// Whether the log alone tells what happened.
    func isSettled(_ change: MatchedChange) -> Bool {
        scope.isSettled(change.kind, of: change.shared.change, for: viewer)
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
        let isPlain = matched.turn == nil && isShared(change.change) && isSettled(matched)
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
        let isDone = place?.isNext ?? true && isShared(change) && reader.write(response)
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

import ChangeFeed
import Postgres

/// The objects that a subscription names by their ids, and the subjects of its comments, at one position of the log.
/// The fold tells which of the objects the viewer sees at that position, as a query would.
struct NamedObjects: ChangeFold {
    private let viewer: UUID?
    private let names: Set<ObjectID>
    /// The states of the named objects that exist. A message from a time when the viewer was no participant has none.
    private var states: [ObjectID: ChangeState] = [:]
    /// The thoughts and events that the named comments are on.
    private var subjects: [ObjectID: CommentSubject] = [:]
    /// The other participant of each conversation that the viewer has with one person alone.
    private var pairs: [UUID: UUID] = [:]
    /// The number of the newest row about each object. The rows of one object are numbered in the order in which they
    /// were written. Rows from before migration 20, and rows about accounts, may stand in another order in the log.
    private var rows: [ObjectID: Int64] = [:]
    private var memberships: Memberships
    private var blocks: Blocks
    /// The objects of which the client was told that a block hid them.
    private var removed: Set<ObjectID> = []

    /// Creates a fold before anything was read about the objects.
    init(_ names: Set<ObjectID>, unknownTo viewer: UUID?) {
        self.viewer = viewer
        self.names = names
        memberships = Memberships(of: viewer)
        blocks = Blocks(unknownOf: viewer)
    }

    private init(_ names: Set<ObjectID>, _ viewer: UUID?, _ memberships: Memberships, _ blocks: Blocks) {
        self.viewer = viewer
        self.names = names
        self.memberships = memberships
        self.blocks = blocks
    }

    /// The folds of several subscriptions, in the order of `names`.
    static func load(
        _ names: [Set<ObjectID>], _ loader: FoldLoader<RequestContext>
    ) async throws -> [NamedObjects] {
        let viewer = loader.context.viewerID
        let all = names.reduce(into: Set<ObjectID>()) { $0.formUnion($1) }
        let needsMemberships = all.contains { $0.kind.visibility.needsMemberships }
        let memberships =
            needsMemberships ? try await loader.load(Memberships.self) : Memberships(of: viewer)
        let blocks = try await loader.load(Blocks.self)
        let states = try await ObjectStates.load(Set(all.map(\.uuid)), for: viewer, loader)
        let wanted = states.filter { $0.key.kind.visibility == .stateAndSubject }.compactMap(\.value.subject)
        let subjects = try await ObjectStates.load(Set(wanted), for: nil, loader)
            .filter { $0.key.kind.visibility == .state }
        var pairs: [UUID: UUID] = [:]
        if let viewer, needsMemberships {
            // A message that does not exist yet may come in any conversation.
            let namesNew = all.contains { $0.kind.visibility == .conversationOfSubject && states[$0] == nil }
            let conversations = namesNew ? nil : Array(Set(all.compactMap { conversation(of: $0, states[$0]) }))
            let rows = try await loader.context.environment.pools.worker.run(
                Pairs(viewer: viewer, conversations: conversations))
            pairs = Dictionary(rows, uniquingKeysWith: { first, _ in first })
        }
        return names.map { names in
            var named = NamedObjects(names, viewer, memberships, blocks)
            named.states = states.filter { names.contains($0.key) }
            let wanted = Set(named.states.values.compactMap(\.subject))
            named.subjects = subjects.filter { wanted.contains($0.key.uuid) }.mapValues(CommentSubject.init)
            named.pairs = pairs
            return named
        }
    }

    /// Whether one of the objects has people whom the log does not tell. `objectsOfPerson` then selects the objects
    /// that a block concerns.
    var hasUnloggedPeople: Bool { names.contains { $0.kind.nodeType?.objectsOfPerson != nil } }

    /// The topics of the fold. The status of each comment's subject is a topic, because a comment is hidden or shown
    /// with its thought.
    var topics: [ChangeTopic] {
        let needsMemberships = names.contains { $0.kind.visibility.needsMemberships }
        return subjects.keys.map(ChangeTopic.status) + (needsMemberships ? memberships.ownTopic : []) + blocks.topics
    }

    /// The conversation whose participants see an object; nil for an object that others see, too.
    private static func conversation(of object: ObjectID, _ state: ChangeState?) -> UUID? {
        switch object.kind.visibility {
        case .conversation: object.uuid
        case .conversationOfSubject: state?.subject
        case .policies, .state, .stateAndSubject: nil
        }
    }

    private func sees(_ object: ObjectID) -> Bool {
        let state = states[object]
        switch object.kind.visibility {
        case .policies: return false
        case .state: return state.map { CommentSubject($0).isSeen(by: viewer, blocks) } ?? false
        case .stateAndSubject:
            guard let state else { return false }
            return !hides(state.owner, inConversations: false) && seesSubject(of: state)
        case .conversation, .conversationOfSubject:
            guard let conversation = Self.conversation(of: object, state) else { return false }
            return takesPart(in: conversation) && !hides(state?.owner, inConversations: true)
        }
    }

    /// Whether the viewer sees the subject of a comment. True for an unknown subject: the policies decide when the
    /// comment is read.
    private func seesSubject(of comment: ChangeState) -> Bool {
        let known = subjects.first { comment.isOn($0.key) }?.value
        return known.map { $0.isSeen(by: viewer, blocks) } ?? true
    }

    private func takesPart(in conversation: UUID) -> Bool {
        memberships.conversations.contains(conversation) && !hides(pairs[conversation], inConversations: true)
    }

    private func hides(_ person: UUID?, inConversations: Bool) -> Bool {
        person.map { blocks.hides($0, inConversations: inConversations) } ?? false
    }

    // MARK: - From the log

    mutating func apply(_ change: Change) -> FoldEffect? {
        if change.object.kind == .block { return applyBlock(change) }
        guard change.object.kind.visibility != .policies else { return nil }
        let concerned = concerned(by: change)
        let before = Set(concerned.filter(sees))
        let known = subjects.count
        let missed = addedBeforeBlocks(by: change, concerned)
        follow(change)
        let turned = concerned.filter { before.contains($0) != sees($0) }
        var effect = FoldEffect()
        if subjects.count > known, let subject = change.subjectOfAdded { effect.joined = [.status(subject)] }
        if turned.contains(where: { $0 != change.object }) {
            effect.objects = turned.map { HiddenOrShownObject($0, states[$0]) }
            effect.isHidden = before.contains(turned[0])
        }
        if concerned.contains(change.object) {
            effect.visibility = (before.contains(change.object), sees(change.object))
        }
        removed.subtract(turned.filter(sees))
        if turned.isEmpty, !missed.isEmpty {
            effect.objects = missed.map { HiddenOrShownObject($0, states[$0]) }
            effect.isHidden = true
            removed.formUnion(missed)
        }
        return effect
    }

    private mutating func applyBlock(_ change: Change) -> FoldEffect? {
        let named = names.sorted { $0.uuid < $1.uuid }
        let before = named.map(sees)
        guard let block = blocks.effect(of: change) else { return nil }
        let after = named.map(sees)
        var effect = FoldEffect(block)
        effect.objects = named.indices.filter { before[$0] != after[$0] }.map {
            HiddenOrShownObject(named[$0], states[named[$0]])
        }
        for object in effect.objects {
            if block.isHidden { removed.insert(object.id) } else { removed.remove(object.id) }
        }
        return effect
    }

    /// The concerned objects that the client may have read before a block was committed, although the block's row stands
    /// before the row that adds them.
    private func addedBeforeBlocks(by change: Change, _ concerned: [ObjectID]) -> [ObjectID] {
        guard let blocks = blocks.before(change) else { return [] }
        var fold = self
        fold.blocks = blocks
        let unseen = concerned.filter { !fold.sees($0) && !removed.contains($0) }
        fold.follow(change)
        return unseen.filter(fold.sees)
    }

    /// The named objects that a row of the log may hide or show.
    private func concerned(by change: Change) -> [ObjectID] {
        let itself = [change.object].filter(names.contains)
        if change.isCountersOnly { return itself }
        let standing = states.filter {
            $0.key.kind.visibility.dependsOnSubject && $0.value.isOn(change.object)
        }
        return itself + standing.keys.sorted { $0.uuid < $1.uuid }
    }

    /// Brings the states, the subjects and the viewer's conversations to the position of a row that is not about a block.
    private mutating func follow(_ change: Change) {
        note(change)
        if let membership = change.membership, membership.account == viewer, let pair = membership.pair {
            pairs[membership.conversation] = pair
        }
        _ = memberships.apply(change)
    }

    /// Stores the state that a row gives to a named object, or to the subject of one. A counter change gives none, because
    /// a counter change that was held back may be older than the fold.
    private mutating func note(_ change: Change) {
        if change.isCountersOnly { return }
        let object = change.object
        let visibility = object.kind.visibility
        let isNamed = names.contains(object) && visibility != .conversation
        guard isNamed || subjects[object] != nil, change.position.row > rows[object] ?? .min else { return }
        rows[object] = change.position.row
        if subjects[object] != nil, let state = change.after { subjects[object] = CommentSubject(state) }
        guard isNamed else { return }
        if visibility == .conversationOfSubject, states[object] == nil {
            let isHeard = change.after?.subject.map(memberships.conversations.contains) ?? false
            if change.before != nil || !isHeard { return }
        }
        states[object] = change.after
        // The subscription does not get the row of a new subject with the id of a deleted one.
        if let subject = change.subjectOfAdded, let state = change.subject,
            change.position.row > rows[subject] ?? .min
        {
            rows[subject] = change.position.row
            subjects[subject] = CommentSubject(state)
        }
    }

    var hidesNobody: Bool { blocks.hidesNobody }
    func hides(_ person: UUID) -> Bool { blocks.hides(person) }
    func willHide(_ person: UUID) -> Bool { blocks.willHide(person) }
    func wasCommitted(_ change: Change) -> Bool? { blocks.wasCommitted(change) }
}

/// The other participant of each conversation that an account has with one person alone.
private struct Pairs: Statement {
    let viewer: UUID
    /// The conversations to look at; nil for all.
    let conversations: [UUID]?

    var sql: SQL {
        """
        select p.conversation_id, p.pair_with from conversation_members p where p.user_id = \(viewer) \
        and p.pair_with is not null and (p.conversation_id = any(\(conversations))) is not false
        """
    }

    func decode(_ row: Row) -> (UUID, UUID) { (row.uuid(0), row.uuid(1)) }
}

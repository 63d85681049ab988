import ChangeFeed
import Postgres

/// The blocks that an account made and those against it. The fold tells the people who are hidden from the account at
/// one position of the log, and the people who were hidden when the blocks were read. The blocks may have been read
/// before the tail could read the rows about them.
struct Blocks: LoadableFold {
    private let viewer: UUID?
    /// Whether the viewer is a moderator. Moderators see the people who blocked them, except in conversations and
    /// notifications.
    private let isModerator: Bool
    /// Whether the fold serves a scope of conversations, messages or notifications.
    var isPrivate = false
    private var blocked: Set<UUID> = []
    private var blockedBy: Set<UUID> = []
    /// The people who were hidden when the blocks were read, each with the number of the newest row of a block with
    /// that person. An entry is removed when that row is applied.
    private var hiddenWhenLoaded: [UUID: Int64] = [:]
    /// The snapshot that read the blocks; nil if they were not read.
    private var snapshot: TransactionSnapshot?
    /// The blocks that were made since the position of which the fold was loaded, each with its row.
    private var newBlocks: [Block: Change] = [:]

    /// Creates a fold without blocks, before any block was read. An anonymous viewer has no blocks.
    init(unknownOf viewer: UUID?, isPrivate: Bool = false) {
        self.init(viewer: viewer, isModerator: false)
        self.isPrivate = isPrivate
    }

    private init(viewer: UUID?, isModerator: Bool) {
        self.viewer = viewer
        self.isModerator = isModerator
    }

    /// - Parameter rows: all rows of `BlocksAround`.
    fileprivate init(_ viewer: UUID, _ rows: [BlocksAround.Output]) {
        self.init(viewer: viewer, isModerator: rows.first?.isModerator ?? false)
        snapshot = rows.first.flatMap { TransactionSnapshot($0.snapshot) }
        for row in rows {
            guard let block = row.block else { continue }
            switch row.change {
            case nil: set(block, true)
            // The rows are undone from the newest to the oldest, which leads back from the present to the position.
            case .made?: set(block, false)
            case .ended?: set(block, true)
            }
        }
        let hidden = Set(rows.filter { $0.change == nil }.compactMap(\.block).filter(isEffective).map(\.person))
        for row in rows {
            guard let person = row.block?.person, let number = row.number, hidden.contains(person) else { continue }
            hiddenWhenLoaded[person] = max(number, hiddenWhenLoaded[person] ?? number)
        }
    }

    struct Block: Hashable, Sendable {
        let person: UUID
        let isByViewer: Bool
    }

    private func isEffective(_ block: Block) -> Bool { block.isByViewer || !isModerator }

    private mutating func set(_ block: Block, _ isBlocked: Bool) {
        switch (block.isByViewer, isBlocked) {
        case (true, true): blocked.insert(block.person)
        case (true, false): blocked.remove(block.person)
        case (false, true): blockedBy.insert(block.person)
        case (false, false): blockedBy.remove(block.person)
        }
    }

    /// The blocks without those whose rows stand before a row in the log, although they may have been committed after it;
    /// nil if there are none.
    func before(_ entry: Change) -> Blocks? {
        let later = newBlocks.filter { mayHave(entry, hiddenBy: $0.value) }.keys
        if later.isEmpty { return nil }
        var blocks = self
        for block in later { blocks.set(block, false) }
        return blocks
    }

    /// - Parameter inConversations: whether the object belongs to a conversation or is a notification. Blocks hide such
    ///   objects from moderators, too.
    func hides(_ person: UUID, inConversations: Bool) -> Bool {
        blocked.contains(person) || (inConversations || !isModerator) && blockedBy.contains(person)
    }

    func hides(_ person: UUID) -> Bool { hides(person, inConversations: isPrivate) }

    func willHide(_ person: UUID) -> Bool { hides(person) || hiddenWhenLoaded[person] != nil }

    func wasCommitted(_ change: Change) -> Bool? { snapshot?.sees(change.writer) }

    var hidesNobody: Bool { blocked.isEmpty && blockedBy.isEmpty && hiddenWhenLoaded.isEmpty }

    /// The topics of the blocks that the viewer made, and of those against the viewer.
    var topics: [ChangeTopic] { viewer.map { [.owner(.block, $0), .subject($0)] } ?? [] }

    static func load(at position: ChangePosition, for context: RequestContext) async throws -> Blocks {
        guard let viewer = context.viewerID else { return Blocks(unknownOf: nil) }
        let rows = try await context.environment.pools.worker.run(BlocksAround(viewer: viewer, position: position))
        return Blocks(viewer, rows)
    }

    mutating func apply(_ change: Change) -> FoldEffect? {
        guard let effect = effect(of: change), isPrivate ? effect.inConversations : effect.elsewhere else { return nil }
        return FoldEffect(effect)
    }

    /// The effect of a block, or of its end, on the viewer: a person is hidden, or shown again.
    struct Effect: Sendable {
        let person: UUID
        let isHidden: Bool
        let inConversations: Bool
        let elsewhere: Bool
    }

    /// Applies a row of the log about a block.
    /// - Returns: nil if the row changes nothing for the viewer.
    mutating func effect(of change: Change) -> Effect? {
        guard change.object.kind == .block, let state = change.state, let blocker = state.owner,
            let other = state.subject, let viewer, viewer == blocker || viewer == other
        else { return nil }
        let person = blocker == viewer ? other : blocker
        let before = self
        let block = Block(person: person, isByViewer: blocker == viewer)
        set(block, change.after != nil)
        newBlocks[block] = change.after == nil ? nil : change
        if let last = hiddenWhenLoaded[person], last <= change.position.row { hiddenWhenLoaded[person] = nil }
        func changes(inConversations: Bool) -> Bool {
            before.hides(person, inConversations: inConversations) != hides(person, inConversations: inConversations)
        }
        let effect = Effect(
            person: person, isHidden: change.after != nil, inConversations: changes(inConversations: true),
            elsewhere: changes(inConversations: false))
        return effect.inConversations || effect.elsewhere ? effect : nil
    }
}

/// The present blocks that an account made and those against it, then the log's rows about its blocks after a position,
/// the newest first. One statement reads both in one snapshot, so that the rows lead back from the present.
private struct BlocksAround: Statement {
    enum LogChange: Sendable { case made, ended }

    struct Output: Sendable {
        let isModerator: Bool
        /// nil if the account has no block and no such row.
        let block: Blocks.Block?
        /// The row's change; nil for a block that exists at present.
        let change: LogChange?
        let number: Int64?
        let snapshot: String
    }

    let viewer: UUID
    let position: ChangePosition

    var sql: SQL {
        """
        select u.role <> 'MEMBER', b.person, b.is_own, b.is_made, b.id, pg_current_snapshot()::text \
        from users u left join (\
        select unnest(h.blocked), true, null::boolean, null::xid8, null::bigint from hidden_people h \
        where h.viewer_id = \(viewer) \
        union all select unnest(h.blocked_by), false, null, null, null from hidden_people h \
        where h.viewer_id = \(viewer) \
        union all select case when s.owner = \(viewer) then s.subject else s.owner end, \
        s.owner = \(viewer), c.after is distinct from null, c.xid, c.id \
        from change_log c cross join lateral (select (coalesce(c.after, c.before)).*) s \
        where c.type = 'block' and (c.xid, c.id) > (\(String(position.transaction))::xid8, \(position.row)) \
        and \(viewer) in (s.owner, s.subject)\
        ) b (person, is_own, is_made, xid, id) on true where u.id = \(viewer) order by b.xid desc nulls first, b.id desc
        """
    }

    func decode(_ row: Row) -> Output {
        Output(
            isModerator: row.bool(0),
            block: row.uuid(optional: 1).map { Blocks.Block(person: $0, isByViewer: row.bool(2)) },
            change: row.bool(optional: 3).map { $0 ? .made : .ended }, number: row.int64(optional: 4),
            snapshot: row.string(5))
    }
}

extension ObjectKind {
    /// The kind of a block. The row's owner made the block. The blocked account is the row's object and subject.
    static let block = ObjectKind(rawValue: "block")
}

extension FoldEffect {
    init(_ effect: Blocks.Effect) {
        self.init()
        person = effect.person
        isHidden = effect.isHidden
    }
}

extension ChangeMatch {
    /// The objects that were hidden or shown with a person; nil if the effect concerns no person.
    static func person(_ effect: FoldEffect?) -> ChangeMatch? {
        guard let effect, let person = effect.person else { return nil }
        return .bulk(.person(person), isHidden: effect.isHidden, effect.objects)
    }
}

/// The accounts that made or ended a block after a position, and the accounts that those blocks are against.
struct PeopleOfBlocks: Statement {
    let position: ChangePosition

    var sql: SQL {
        """
        select p.id from change_log c cross join lateral (select (coalesce(c.after, c.before)).*) s \
        cross join lateral (values (s.owner), (s.subject)) p (id) \
        where c.type = 'block' and (c.xid, c.id) > (\(String(position.transaction))::xid8, \(position.row))
        """
    }

    func decode(_ row: Row) -> UUID { row.uuid(0) }
}

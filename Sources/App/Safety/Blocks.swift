import ChangeFeed
import Postgres

/// The blocks that an account made and met, and so whom it sees nothing of: at a place of the log as blocks come and go,
/// and as it was when this was read, which may lie beyond what the tail may read yet.
struct Blocks: LoadableFold {
    private let viewer: UUID?
    /// Moderators see who blocked them, but in their own mail.
    private let isModerator: Bool
    /// Whether it is asked for conversations, messages or notifications.
    var isMail = false
    private var blocked: Set<UUID> = []
    private var blockedBy: Set<UUID> = []
    /// Who was hidden when this was read, each with the row that says so, until the log is there.
    private var hiddenLater: [UUID: Int64] = [:]
    /// The transaction that would have begun next when this was read; nil where it was not.
    private var next: Int64?

    /// Before anything is known of them. An anonymous viewer has none.
    init(unknownOf viewer: UUID?, isMail: Bool = false) {
        self.init(viewer: viewer, isModerator: false)
        self.isMail = isMail
    }

    private init(viewer: UUID?, isModerator: Bool) {
        self.viewer = viewer
        self.isModerator = isModerator
    }

    /// - Parameter rows: all of `BlocksAround`.
    fileprivate init(_ viewer: UUID, _ rows: [BlocksAround.Output]) {
        self.init(viewer: viewer, isModerator: rows.first?.isModerator ?? false)
        next = rows.first?.next
        for row in rows {
            guard let block = row.block else { continue }
            switch row.change {
            case nil: set(block, true)
            // Back from the present, the newest first: as it was before.
            case .made?: set(block, false)
            case .ended?: set(block, true)
            }
        }
        let hidden = Set(rows.filter { $0.change == nil }.compactMap(\.block).filter(isEffective).map(\.person))
        for row in rows {
            guard let person = row.block?.person, let number = row.number, hidden.contains(person) else { continue }
            hiddenLater[person] = max(number, hiddenLater[person] ?? number)
        }
    }

    struct Block: Sendable {
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

    /// - Parameter inMail: conversations, messages and notifications are hidden from moderators, too.
    func hides(_ person: UUID, inMail: Bool) -> Bool {
        blocked.contains(person) || (inMail || !isModerator) && blockedBy.contains(person)
    }

    func hides(_ person: UUID) -> Bool { hides(person, inMail: isMail) }

    func willHide(_ person: UUID) -> Bool { hides(person) || hiddenLater[person] != nil }

    func wasLoaded(before change: Change) -> Bool { next.map { $0 <= change.position.transaction } ?? false }

    var hidesNobody: Bool { blocked.isEmpty && blockedBy.isEmpty && hiddenLater.isEmpty }

    /// The blocks that the viewer made, and those that they met.
    var topics: [ChangeTopic] { viewer.map { [.owner(.block, $0), .subject($0)] } ?? [] }

    static func load(at position: ChangePosition, for context: RequestContext) async throws -> Blocks {
        guard let viewer = context.viewerID else { return Blocks(unknownOf: nil) }
        let rows = try await context.environment.pools.worker.run(BlocksAround(viewer: viewer, position: position))
        return Blocks(viewer, rows)
    }

    mutating func apply(_ change: Change) -> FoldEffect? {
        guard let turn = turn(by: change), isMail ? turn.inMail : turn.outsideMail else { return nil }
        return FoldEffect(turn)
    }

    /// Who is hidden or seen again.
    struct Turn: Sendable {
        let person: UUID
        let isHidden: Bool
        let inMail: Bool
        let outsideMail: Bool
    }

    /// A block came or went.
    /// - Returns: nil where nothing changes for the viewer.
    mutating func turn(by change: Change) -> Turn? {
        guard change.object.kind == .block, let state = change.state, let blocker = state.owner,
            let other = state.subject, let viewer, viewer == blocker || viewer == other
        else { return nil }
        let person = blocker == viewer ? other : blocker
        let before = self
        set(Block(person: person, isByViewer: blocker == viewer), change.after != nil)
        if let last = hiddenLater[person], last <= change.position.row { hiddenLater[person] = nil }
        func turns(inMail: Bool) -> Bool { before.hides(person, inMail: inMail) != hides(person, inMail: inMail) }
        let turn = Turn(
            person: person, isHidden: change.after != nil, inMail: turns(inMail: true),
            outsideMail: turns(inMail: false))
        return turn.inMail || turn.outsideMail ? turn : nil
    }
}

/// The blocks that an account made and met, and what became of them in the log after a position, the newest first: of
/// one moment, so that one leads to the other.
private struct BlocksAround: Statement {
    enum LogChange: Sendable { case made, ended }

    struct Output: Sendable {
        let isModerator: Bool
        /// nil where there is none.
        let block: Blocks.Block?
        /// nil for what is there at present.
        let change: LogChange?
        let number: Int64?
        let next: Int64
    }

    let viewer: UUID
    let position: ChangePosition

    var sql: SQL {
        """
        select u.role <> 'MEMBER', b.person, b.is_own, b.is_made, b.id, pg_snapshot_xmax(pg_current_snapshot()) \
        from users u left join (\
        select unnest(h.blocked), true, null::boolean, null::xid8, null::bigint from hidden_people h \
        where h.viewer_id = \(viewer) \
        union all select unnest(h.blocked_by), false, null, null, null from hidden_people h \
        where h.viewer_id = \(viewer) \
        union all select case when s.author_id = \(viewer) then s.subject_id else s.author_id end, \
        s.author_id = \(viewer), c.after is distinct from null, c.xid, c.id \
        from change_log c cross join lateral (select (coalesce(c.after, c.before)).*) s \
        where c.type = 'block' and (c.xid, c.id) > (\(String(position.transaction))::xid8, \(position.row)) \
        and \(viewer) in (s.author_id, s.subject_id)\
        ) b (person, is_own, is_made, xid, id) on true where u.id = \(viewer) order by b.xid desc nulls first, b.id desc
        """
    }

    func decode(_ row: Row) -> Output {
        Output(
            isModerator: row.bool(0),
            block: row.uuid(optional: 1).map { Blocks.Block(person: $0, isByViewer: row.bool(2)) },
            change: row.bool(optional: 3).map { $0 ? .made : .ended }, number: row.int64(optional: 4),
            next: row.int64(5))
    }
}

extension ObjectKind {
    /// A row tells whom its owner blocked, as its object and its subject.
    static let block = ObjectKind(rawValue: "block")
}

extension FoldEffect {
    init(_ turn: Blocks.Turn) {
        self.init()
        person = turn.person
        isHidden = turn.isHidden
    }
}

extension ChangeMatch {
    /// What was hidden or shown with a person.
    static func person(_ effect: FoldEffect?) -> ChangeMatch? {
        guard let effect, let person = effect.person else { return nil }
        return .bulk(.person(person), isHidden: effect.isHidden, effect.objects)
    }
}

/// Those who made or met a block, or the end of one, after a position.
struct PeopleOfBlocks: Statement {
    let position: ChangePosition

    var sql: SQL {
        """
        select p.id from change_log c cross join lateral (select (coalesce(c.after, c.before)).*) s \
        cross join lateral (values (s.author_id), (s.subject_id)) p (id) \
        where c.type = 'block' and (c.xid, c.id) > (\(String(position.transaction))::xid8, \(position.row))
        """
    }

    func decode(_ row: Row) -> UUID { row.uuid(0) }
}

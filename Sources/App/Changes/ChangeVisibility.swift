import Postgres

/// Whom an account sees nothing of: at a place of the log as blocks come and go, and as it was when this was read, which
/// may lie beyond what the tail may read yet.
struct ChangeVisibility: Sendable {
    private let viewer: UUID?
    /// Moderators see who blocked them, but in their own mail.
    private let isModerator: Bool
    private var blocked: Set<UUID> = []
    private var blockedBy: Set<UUID> = []
    /// Who was hidden when this was read, each with the row that says so, until the log is there.
    private var hiddenLater: [UUID: Int64] = [:]
    /// The transaction that would have begun next when this was read; nil where it was not.
    private var next: Int64?

    /// An anonymous viewer has no blocks.
    static let everybody = ChangeVisibility(viewer: nil, isModerator: false)

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

    /// Whether the person is hidden at the place or beyond it.
    func willHide(_ person: UUID, inMail: Bool) -> Bool {
        hides(person, inMail: inMail) || hiddenLater[person] != nil
    }

    /// Whether the change was made after this was read: when the subscription had begun.
    func isReadBefore(_ change: Change) -> Bool { next.map { $0 <= change.position.transaction } ?? false }

    var isEmpty: Bool { blocked.isEmpty && blockedBy.isEmpty && hiddenLater.isEmpty }

    /// Who is hidden or seen again.
    struct Turn: Sendable {
        let person: UUID
        let isHidden: Bool
        let inMail: Bool
        let outsideMail: Bool
    }

    /// A block came or went.
    /// - Returns: nil where nothing changes for the viewer.
    mutating func apply(_ change: Change) -> Turn? {
        guard let state = change.after ?? change.before, let blocker = state.authorID, let other = state.subjectID
        else {
            return nil
        }
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
        let block: ChangeVisibility.Block?
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
            block: row.uuid(optional: 1).map { ChangeVisibility.Block(person: $0, isByViewer: row.bool(2)) },
            change: row.bool(optional: 3).map { $0 ? .made : .ended }, number: row.int64(optional: 4),
            next: row.int64(5))
    }
}

extension Environment {
    /// As it was at a position of the log.
    func visibility(of viewer: UUID, at position: ChangePosition) async throws -> ChangeVisibility {
        ChangeVisibility(viewer, try await pools.worker.run(BlocksAround(viewer: viewer, position: position)))
    }
}

extension ChangeScope {
    /// Whether blocks make a difference.
    var hearsOfBlocks: Bool { if case .account = self { false } else { true } }

    /// Whether it matters who is hidden. What is counted for the viewer is read as it is.
    var needsVisibility: Bool {
        switch self {
        case .feed, .events, .objects, .comments, .notifications, .conversations, .messages: true
        case .account, .viewer: false
        }
    }

    var isNamed: Bool { if case .objects = self { true } else { false } }

    var isMail: Bool {
        switch self {
        case .notifications, .conversations, .messages: true
        case .feed, .events, .objects, .comments, .account, .viewer: false
        }
    }

    /// Those of whom none may be hidden from who gets the change. What the log does not tell, the policies decide when
    /// the object is read.
    func people(of change: Change) -> [UUID] {
        let author = (change.after ?? change.before)?.authorID
        switch self {
        case .feed, .events, .messages: return [author].compactMap { $0 }
        case .comments(_, let owner): return [owner] + [author].compactMap { $0 }
        // Images are addresses, which everybody may know. `NamedObjects` knows on whose thought a comment is.
        case .objects: return change.object.kind == .image ? [] : [author].compactMap { $0 }
        case .account, .viewer, .notifications, .conversations: return []
        }
    }

    /// Whether the object may look different to this viewer than to everybody: it is read in its own name.
    func isPersonal(_ change: Change, to viewer: UUID?) -> Bool {
        switch self {
        case .feed, .events: false
        // On one's own drafts.
        case .comments(_, let owner): owner == viewer
        // On a draft of one's own, too.
        case .objects: viewer != nil && change.object.kind == .comment
        case .account, .viewer, .notifications, .conversations, .messages: true
        }
    }
}

import GraphQL
import Postgres

/// The conversations that an account is in, at one place of the log: its rows tell of each coming and going.
struct Memberships: Sendable {
    private(set) var conversations: Set<UUID>
    /// The newest row about each, as rows are numbered in the order in which one object was written.
    private var rows: [UUID: Int64] = [:]

    init(conversations: Set<UUID>) { self.conversations = conversations }

    /// - Parameter account: whose these are.
    mutating func apply(_ change: Change, of account: UUID?) {
        guard let membership = change.membership, membership.account == account else { return }
        guard change.position.row > rows[membership.conversation] ?? 0 else { return }
        rows[membership.conversation] = change.position.row
        if membership.isIn {
            conversations.insert(membership.conversation)
        } else {
            conversations.remove(membership.conversation)
        }
    }
}

extension Change {
    /// Who came to a conversation or left it; nil for every other row.
    var membership: (account: UUID, conversation: UUID, isIn: Bool)? {
        guard object.kind == .conversation, let account = after?.authorID, before?.status != after?.status else {
            return nil
        }
        return (account, object.uuid, after?.status == .joined)
    }
}

extension RequestContext {
    /// The conversations that the viewer was in at a position. What it is in now is read first: any row of the log
    /// after the position, whether the tail has it or not, tells what was before.
    func memberships(at position: ChangePosition) async throws -> Memberships {
        let viewer = try requireViewer()
        var conversations = Set(try await start(OwnConversationIDs()).value)
        let known = environment.changes.memberships(of: viewer.userID, after: position)
        let rest = MembershipsAfter(position: known?.end ?? position, account: viewer.userID)
        let rows = (known?.rows ?? []) + (try await environment.pools.worker.run(rest))
        // The oldest row about a conversation decides.
        for row in rows.sorted(by: { $0.row > $1.row }) {
            if row.wasIn { conversations.insert(row.conversation) } else { conversations.remove(row.conversation) }
        }
        return Memberships(conversations: conversations)
    }
}

/// The conversations that the viewer is in.
struct OwnConversationIDs: Statement {
    var sql: SQL { "select conversation_id from conversation_members where user_id = viewer_id() and left_at is null" }

    func decode(_ row: Row) -> UUID { row.uuid(0) }
}

/// An account's comings and goings, each with whether it was in the conversation before.
struct MembershipsAfter: Statement {
    let position: ChangePosition
    let account: UUID

    var sql: SQL {
        """
        select c.object_id, (c.before).status is not distinct from 'JOINED', c.id from change_log c \
        where (c.xid, c.id) > (\(String(position.transaction))::xid8, \(position.row)) \
        and c.type = 'conversation' and (c.after).author_id = \(account) order by c.xid, c.id
        """
    }

    typealias Output = (conversation: UUID, wasIn: Bool, row: Int64)

    func decode(_ row: Row) -> Output { (row.uuid(0), row.bool(1), row.int64(2)) }
}

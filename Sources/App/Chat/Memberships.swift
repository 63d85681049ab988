import ChangeFeed
import GraphQL
import Postgres

/// The conversations in which an account is a participant, at one position of the log. The log has a row for each
/// time that the account joins or leaves one.
struct Memberships: LoadableFold {
    private let account: UUID?
    private(set) var conversations: Set<UUID>
    /// The number of the newest row about each conversation. The rows about one conversation are numbered in the order
    /// in which they were written. Rows from before migration 20 may stand in another order in the log.
    private var rows: [UUID: Int64] = [:]

    /// - Parameter account: nil for an anonymous viewer.
    init(of account: UUID?, _ conversations: Set<UUID> = []) {
        self.account = account
        self.conversations = conversations
    }

    /// Reads the present conversations, then the rows of the log after the position, including rows that the tail has
    /// not read. Each row has the account's status before the change.
    static func load(at position: ChangePosition, for context: RequestContext) async throws -> Memberships {
        guard let account = context.viewerID else { return Memberships(of: nil) }
        var conversations = Set(try await context.start(OwnConversationIDs()).value)
        let known = context.changeLog.hub.changes(after: position) { $0.membership?.account == account }
        let rest = MembershipsAfter(position: known?.end ?? position, account: account)
        let rows =
            (known?.changes ?? []).map { change in
                (change.object.uuid, change.before?.status == MembershipStatus.joined, change.position.row)
            }
            + (try await context.environment.pools.worker.run(rest))
        // The rows are applied from the newest to the oldest, so that the oldest row about a conversation decides.
        for (conversation, wasIn, _) in rows.sorted(by: { $0.2 > $1.2 }) {
            if wasIn { conversations.insert(conversation) } else { conversations.remove(conversation) }
        }
        return Memberships(of: account, conversations)
    }

    var topics: [ChangeTopic] { ownTopic + conversations.map(ChangeTopic.subject) }

    /// The topic of the rows that tell that the account joined or left a conversation.
    var ownTopic: [ChangeTopic] { account.map { [.owner(.conversation, $0)] } ?? [] }

    mutating func apply(_ change: Change) -> FoldEffect? {
        guard let membership = change.membership, membership.account == account else { return nil }
        guard change.position.row > rows[membership.conversation] ?? 0 else { return nil }
        rows[membership.conversation] = change.position.row
        var effect = FoldEffect()
        if membership.isIn {
            conversations.insert(membership.conversation)
            effect.joined = [.subject(membership.conversation)]
        } else {
            conversations.remove(membership.conversation)
            effect.left = [.subject(membership.conversation)]
        }
        return effect
    }
}

extension Change {
    /// The account that joined or left a conversation with this row; nil for every other row. `pair` is the other
    /// participant of a conversation of two; nil in rows from before migration 23.
    var membership: (account: UUID, conversation: UUID, pair: UUID?, isIn: Bool)? {
        guard object.kind == .conversation, let after, let account = after.owner, before?.status != after.status else {
            return nil
        }
        return (account, object.uuid, after.category.flatMap { UUID($0) }, after.status == MembershipStatus.joined)
    }
}

/// The statuses of a participant in the log's rows about a conversation.
enum MembershipStatus {
    static let joined = "JOINED"
}

/// The conversations in which the viewer is a participant at present.
struct OwnConversationIDs: Statement {
    var sql: SQL { "select conversation_id from conversation_members where user_id = viewer_id() and left_at is null" }

    func decode(_ row: Row) -> UUID { row.uuid(0) }
}

/// The rows about an account's own memberships after a position, each with whether the account was a participant
/// before.
struct MembershipsAfter: Statement {
    let position: ChangePosition
    let account: UUID

    var sql: SQL {
        """
        select c.object_id, (c.before).status is not distinct from 'JOINED', c.id from change_log c \
        where (c.xid, c.id) > (\(String(position.transaction))::xid8, \(position.row)) \
        and c.type = 'conversation' and (c.after).owner = \(account) order by c.xid, c.id
        """
    }

    func decode(_ row: Row) -> (conversation: UUID, wasIn: Bool, row: Int64) {
        (row.uuid(0), row.bool(1), row.int64(2))
    }
}

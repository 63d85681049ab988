import GraphQL
import Postgres

/// A suspension, as moderators see it: the account may neither sign in nor write.
struct Suspension: ObjectValue {
    /// The alias `s` stands for the table `suspensions`.
    static let columns: StaticString = "s.user_id, s.until, s.reason, s.created_at"
    static let columnTypes: [ColumnType] = [.uuid, .timestamptz, .text, .timestamptz]

    let row: Row

    init(row: Row) {
        row.expect(Self.columnTypes)
        self.row = row
    }

    var userID: UUID { row.uuid(0) }
    var until: Timestamp { row.timestamp(1) }
    var reason: Text { row.text(2) }
    var createdAt: Timestamp { row.timestamp(3) }

    static let binding: Binding = ObjectBinding<Suspension, RequestContext>("Suspension") { suspension in
        suspension.field("until", \.until)
        suspension.field("reason", \.reason)
        suspension.field("createdAt", \.createdAt)
    }

    /// Locks an account's row, but only for a moderator: nobody else may hold a lock on another account.
    static func lock(_ account: UUID) -> SQL {
        "select from users where id = \(account) and (select viewer_is_moderator()) for update"
    }
}

/// The present suspensions of accounts. A row-level security policy shows suspensions to moderators only.
struct SuspensionsOfUsers: Statement {
    let ids: [UUID]

    var sql: SQL {
        "select \(unsafe: Suspension.columns) from suspensions s where s.user_id = any(\(ids)) and s.until > now()"
    }

    func decode(_ row: Row) -> Suspension { Suspension(row: row) }
}

/// Raises a refusal if the account is suspended.
struct RefuseSuspended: Statement {
    let account: UUID

    var sql: SQL { "select refuse_suspended(\(account))" }

    func decode(_ row: Row) -> Bool { row.bool(0) }
}

import GraphQL
import Postgres

/// A person whom the viewer blocked.
struct BlockedUser: ListItem {
    let user: User
    let blockedAt: Timestamp

    var sortID: UUID { user.id }
    func sortKey(in order: Cursor.Order) -> Int64 { blockedAt.microseconds }

    static var outputShape: OutputShape { User.outputShape }
    static func completeOutput(_ values: [BlockedUser]) -> CompletedColumn { User.completeOutput(values.map(\.user)) }
    func writeOutput(to json: inout JSONWriter) { json.writeNull() }

    static let bindings: [Binding] = ConnectionBindings.of(BlockedUser.self, "BlockedUser") { edge in
        edge.field("createdAt", \.node.blockedAt)
    }
}

struct BlockedUsers: Statement {
    let page: Page

    var sql: SQL {
        let upper = page.bounds.upper
        return """
            select \(unsafe: User.columns), p.blocked_at from \
            people_blocked_by_viewer(\(Timestamp(microseconds: upper.key)), \(upper.id), \(page.limit)) p \
            cross join lateral (select (p.person).*) u
            """
    }

    func decode(_ row: Row) -> BlockedUser { BlockedUser(user: User(row: row), blockedAt: row.timestamp(7)) }
}

import GraphQL
import Postgres

struct Session: ObjectValue {
    /// The alias `s` is the sessions table.
    static let columns: StaticString = "s.id, s.created_at, s.last_used_at, s.user_agent, host(s.ip_address)"
    static let columnTypes: [ColumnType] = [.uuid, .timestamptz, .timestamptz, .text, .text]

    /// The condition under which a session is alive: it is not revoked, was refreshed within 30 days, and began within 180.
    static let isAlive: StaticString = """
        s.revoked_at is null and s.rotated_at > now() - interval '30 days' and s.created_at > now() - interval '180 days'
        """

    let row: Row

    init(row: Row) {
        row.expect(Self.columnTypes)
        self.row = row
    }

    var id: UUID { row.uuid(0) }
    var createdAt: Timestamp { row.timestamp(1) }
    var lastUsedAt: Timestamp { row.timestamp(2) }
    var userAgent: Text? { row.text(optional: 3) }
    var ipAddress: Text? { row.text(optional: 4) }

    static let binding: Binding = ObjectBinding<Session, RequestContext>("Session") { session in
        session.field("id") { TypeID(.session, $0.id) }
        session.field("createdAt", \.createdAt)
        session.field("lastUsedAt", \.lastUsedAt)
        session.field("userAgent", \.userAgent)
        session.field("ipAddress", \.ipAddress)
        session.field("isCurrent") { session, context in session.id == context.viewer?.sessionID }
    }
}

/// The viewer's sessions that have not ended, the most recently used first. `ids` limits them to some; nil for all.
struct OwnSessions: Statement {
    let ids: [UUID]?

    var sql: SQL {
        let condition: SQL = ids.map { " and s.id = any(\($0))" } ?? ""
        return """
            select \(unsafe: Session.columns) from sessions s where s.user_id = viewer_id() \
            and \(unsafe: Session.isAlive)\(condition) order by s.last_used_at desc, s.id desc
            """
    }

    func decode(_ row: Row) -> Session { Session(row: row) }
}

extension Session: NodeObject {
    static let typeName = "Session"
    static let kind = TypeID.Kind.session

    static func byID(_ ids: [UUID]) -> OwnSessions { OwnSessions(ids: ids) }
}

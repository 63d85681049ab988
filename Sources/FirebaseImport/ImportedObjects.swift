import App
import Auth
import Postgres

/// The objects that imports brought, by the ids that they had before.
public struct ImportedObjects: Statement {
    private let oldID: String

    /// - Parameter oldID: the id of an account, or the path of a document.
    public init(oldID: String) { self.oldID = oldID }

    public var sql: SQL {
        "select source, kind, object_id from imported_objects where old_id = \(oldID) order by source, kind"
    }

    /// The name of the import and the new id.
    public func decode(_ row: Row) -> (source: String, id: TypeID?) {
        (row.string(0), TypeID.Kind(rawValue: row.string(1)).map { TypeID($0, row.uuid(2)) })
    }
}

/// The accounts of an import that have no password and are not suspended.
public struct AccountsWithoutPassword {
    private let source: String

    public init(source: String) { self.source = source }

    private var accounts: SQL {
        """
        imported_objects o join credentials k on k.user_id = o.object_id where o.source = \(source) \
        and o.kind = 'user' and k.password_hash = \(PasswordHasher.noPassword) \
        and not exists (select from suspensions s where s.user_id = k.user_id and s.until > now())
        """
    }

    public func count(_ connection: DedicatedConnection) async throws -> Int {
        try await connection.one("select count(*) from \(accounts)") { Int($0.int64(0)) }
    }

    /// Queues a mail with a link that sets a password for each of these accounts that none waits for. One mail is due
    /// each `interval`.
    /// - Returns: the number of mails.
    public func queueMails(_ connection: DedicatedConnection, interval: Duration) async throws -> Int {
        let seconds = Double(interval.components.seconds) + Double(interval.components.attoseconds) / 1e18
        return try await connection.execute(
            """
            insert into mails (id, kind, recipient, due_at) \
            select uuid_v7(), 'RESET_PASSWORD', email, now() + \(seconds) * row_number() over (order by email) \
            * interval '1 second' from (select k.email from \(accounts) and not exists (select from mails m \
            where m.kind = 'RESET_PASSWORD' and m.recipient = k.email)) as waiting
            """
        ).affected
    }
}

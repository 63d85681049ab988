import Auth
import Logging
import Postgres

/// Loads demo data by COPY, in committed batches. The triggers keep counters and change log as for any other write, and
/// no transaction is long enough to hold up a live server.
struct DemoLoader {
    enum Failure: Error, Equatable, CustomStringConvertible {
        case rowLevelSecurity
        case alreadyLoaded(seed: UInt64)

        var description: String {
            switch self {
            case .rowLevelSecurity:
                "Rows of other accounts are written only by a superuser: give such a role's address as --database-url."
            case .alreadyLoaded(let seed):
                "Demo data of seed \(seed) are there already: choose another --seed."
            }
        }
    }

    /// The account that the README names.
    static let email = "test@tertulia.dev"
    static let password = "correct-horse-tertulia"
    private static let batch = 500

    let connection: DedicatedConnection
    let logger: Logger

    func isEmpty() async throws -> Bool {
        try await connection.one("select not exists (select from users)") { $0.bool(0) }
    }

    func load(_ data: DemoData, passwordHash: String) async throws {
        let isBypassing: SQL = "select rolsuper or rolbypassrls from pg_roles where rolname = current_user"
        guard try await connection.one(isBypassing, { $0.bool(0) }) else { throw Failure.rowLevelSecurity }
        do {
            try await copy(data.users)
        } catch PostgresError.constraint("users_pkey"), PostgresError.constraint("users_username_key") {
            throw Failure.alreadyLoaded(seed: data.seed)
        }
        try await addTestAccount(data, passwordHash: passwordHash)
        try await copy(data.thoughts)
        try await copy(data.events)
        try await copy(DemoComment.self) { try await data.forEachComment($0) }
        try await copy(DemoLike.self) { try await data.forEachLike($0) }
        try await copy(DemoRSVP.self) { try await data.forEachRSVP($0) }
        let notifications: SQL = "select write_notifications(\(Int32(Self.batch)))"
        while try await connection.one(notifications, { $0.int32(0) }) > 0 {}
        try await connection.execute(script: "vacuum analyze")
    }

    /// Gives the credentials to the first account, so that the test account has written something.
    private func addTestAccount(_ data: DemoData, passwordHash: String) async throws {
        guard let user = data.users.first else { return }
        try await connection.execute(
            """
            insert into credentials (user_id, email, email_verified_at, password_hash)
            values (\(user.id), \(Self.email), now(), \(passwordHash)) on conflict do nothing
            """)
    }

    private func copy<Row: DemoRow>(_ rows: [Row]) async throws {
        try await copy(Row.self) { for row in rows { try await $0(row) } }
    }

    private func copy<Row: DemoRow>(
        _ type: Row.Type, _ generate: ((Row) async throws -> Void) async throws -> Void
    ) async throws {
        var batch: [Row] = []
        var total = 0
        func send() async throws {
            guard !batch.isEmpty else { return }
            let rows = batch
            try await connection.copyIn(Row.copy) { writer in
                for row in rows { try row.write(to: &writer) }
            }
            total += rows.count
            batch.removeAll(keepingCapacity: true)
        }
        try await generate { row in
            batch.append(row)
            if batch.count == Self.batch { try await send() }
        }
        try await send()
        logger.info("Loaded", metadata: ["table": "\(Row.table)", "rows": "\(total)"])
    }
}

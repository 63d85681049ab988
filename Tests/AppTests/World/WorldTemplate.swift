import Auth
import Cryptography
import Foundation
import Migrations
import Postgres
import TestPostgres

/// A database that worlds are copied from: made once a test run.
actor WorldTemplate {
    /// The people and things of `world.sql`.
    static let small = WorldTemplate { try await makeSmall() }
    /// The same people among thousands of others, with statistics.
    static let large = WorldTemplate {
        let database = try await TestPostgres.shared.database(copying: small.name())
        return try await filled(database) { try await $0.execute(script: LargeWorld.script) }
    }

    /// Fast enough for tests; the hash's own tests use the real parameters.
    static let hashing = Scrypt.Parameters(logN: 10) ?? .standard

    private let make: @Sendable () async throws -> String
    private var made: Task<String, any Error>?

    private init(_ make: @escaping @Sendable () async throws -> String) { self.make = make }

    func name() async throws -> String {
        if let made { return try await made.value }
        let task = Task { try await make() }
        made = task
        return try await task.value
    }

    /// What fills a migrated database with the people and things of `world.sql`.
    static func script() async throws -> String {
        let hash = try await PasswordHasher(parameters: hashing).hash("correct horse battery")
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let script = try String(contentsOf: folder.appendingPathComponent("world.sql"), encoding: .utf8)
        return script.replacingOccurrences(of: "PASSWORD_HASH", with: hash)
    }

    private static func makeSmall() async throws -> String {
        let migrations = MigrationSources.all.map { Migration(version: $0.version, name: $0.name, sql: $0.sql) }
        return try await filled(try await TestPostgres.shared.database()) { connection in
            try await Migrator(migrations, connection: connection).migrate()
            try await connection.execute(script: script())
            try await connection.execute("select rank_thoughts(array(select id from thoughts))")
            try await WorldDatabase.tell(connection)
        }
    }

    /// The name of a database, once `fill` has run.
    private static func filled(
        _ database: TestDatabase, _ fill: (DedicatedConnection) async throws -> Void
    ) async throws -> String {
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(database.url))
        try await fill(connection)
        await connection.close()
        return database.name
    }
}

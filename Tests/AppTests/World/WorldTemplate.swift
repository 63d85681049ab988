import Auth
import Cryptography
import Foundation
import Migrations
import Postgres
import TestPostgres

/// The database that worlds are copied from: migrated and filled once a test run.
actor WorldTemplate {
    static let shared = WorldTemplate()
    /// Fast enough for tests; the hash's own tests use the real parameters.
    static let hashing = Scrypt.Parameters(logN: 10) ?? .standard

    private var made: Task<String, any Error>?

    func name() async throws -> String {
        if let made { return try await made.value }
        let task = Task { try await Self.make() }
        made = task
        return try await task.value
    }

    private static func make() async throws -> String {
        let url = try await TestPostgres.shared.database()
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(url))
        let migrations = MigrationSources.all.map {
            Migration(version: $0.version, name: $0.name, sql: String(decoding: $0.bytes, as: UTF8.self))
        }
        try await Migrator(migrations, connection: connection).migrate()
        let hash = try await PasswordHasher(parameters: hashing).hash("correct horse battery")
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let script = try String(contentsOf: folder.appendingPathComponent("world.sql"), encoding: .utf8)
        try await connection.execute(script: script.replacingOccurrences(of: "PASSWORD_HASH", with: hash))
        guard let name = try await connection.run(DatabaseName()).first else { throw PostgresError.unavailable }
        await connection.close()
        return name
    }
}

private struct DatabaseName: Statement {
    var sql: SQL { "select current_database()::text" }
    func decode(_ row: Row) -> String { row.string(0) }
}

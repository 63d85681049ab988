import Foundation
import Migrations
import Postgres
import TestPostgres

/// What the tests of this folder share.
enum TestMigrations {
    static let all = MigrationSources.all.map { Migration(version: $0.version, name: $0.name, sql: $0.sql) }

    /// The folder `migrations` of the repository.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../migrations")
        .standardizedFileURL

    /// Those of the history before the baseline, kept as test data: 33 files after one another, compressed.
    static func ofEarlierHistory() throws -> [Migration] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "before-baseline.sql.gz")
        let gzip = Process()
        gzip.executableURL = URL(filePath: "/bin/gzip")
        gzip.arguments = ["-dc", file.path()]
        let output = Pipe()
        gzip.standardOutput = output
        try gzip.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        gzip.waitUntilExit()
        return text.split(separator: "-- file: ").compactMap { file in
            guard let end = file.firstIndex(of: "\n") else { return nil }
            let name = file[..<end].dropLast(".sql".count).split(separator: "_", maxSplits: 1)
            guard name.count == 2, let version = Int(name[0]) else { return nil }
            return Migration(version: version, name: String(name[1]), sql: String(file[file.index(after: end)...]))
        }
    }

    static func migrator(_ connection: DedicatedConnection) -> Migrator {
        let adoption = MigrationSources.adoption
        return Migrator(
            all, compatibility: MigrationSources.compatibility,
            adopting: EarlierHistory(
                fingerprint: adoption.fingerprint, lastVersion: adoption.lastVersion, adoption: adoption.sql),
            connection: connection)
    }

    static func database(
        _ fill: (DedicatedConnection) async throws -> Void
    ) async throws -> DedicatedConnection {
        let url = try await TestPostgres.shared.database().url
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(url))
        try await fill(connection)
        return connection
    }
}

struct CatalogLines: Statement {
    let sql: SQL
    func decode(_ row: Row) -> String { row.string(0) }
}

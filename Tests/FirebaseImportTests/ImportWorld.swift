import Auth
import Glibc
import Logging
import Migrations
import Postgres
import TestPostgres
import Testing

@testable import FirebaseImport

/// A migrated database and a folder of exports, for one test.
struct ImportWorld {
    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    let url: String
    let folder: String

    static func with(_ body: (ImportWorld) async throws -> Void) async throws {
        var template = Array("/tmp/tertulia-import-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw ImportFailure("mkdtemp") }
        let world = ImportWorld(url: try await TestPostgres.shared.database().url, folder: String(cString: made))
        defer { world.remove() }
        let connection = try await world.connection()
        let migrations = MigrationSources.all.map { Migration(version: $0.version, name: $0.name, sql: $0.sql) }
        try await Migrator(migrations, connection: connection, logger: logger).migrate()
        await connection.close()
        try await body(world)
    }

    func connection() async throws -> DedicatedConnection {
        try await DedicatedConnection.open(ConnectionConfiguration(url))
    }

    /// Writes a file of the exports.
    /// - Returns: its path.
    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = "\(folder)/\(name)"
        let file = try #require(fopen(path, "we"))
        defer { fclose(file) }
        try #require(bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) } == bytes.count)
        return path
    }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

    /// Imports, as the command does.
    @discardableResult
    func run(
        _ mapping: String, isDryRun: Bool = false, quota: Int = 100 << 20,
        _ change: (inout FirebaseImport.Input) throws -> Void
    ) async throws -> ImportReport {
        var input = FirebaseImport.Input()
        try change(&input)
        let report = try ImportReport(path: "\(folder)/report.jsonl")
        let connection = try await connection()
        try await FirebaseImport(
            input, mapping: Mapping(mapping), source: "test", imageQuota: quota, report: report, connection: connection,
            logger: Self.logger
        ).run(isDryRun: isDryRun)
        await connection.close()
        return report
    }

    /// The first column of a query, as texts.
    func texts(_ sql: SQL) async throws -> [String] {
        let connection = try await connection()
        let texts = try await connection.execute(sql).map { $0.string(0) }
        await connection.close()
        return texts
    }

    /// The lines of the last report.
    func problems() throws -> [String] {
        let bytes = try #require(try InputFile.contents(of: "\(folder)/report.jsonl", limit: 1 << 20))
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func remove() {
        if let directory = opendir(folder) {
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                unlink("\(folder)/\(name)")
            }
            closedir(directory)
        }
        rmdir(folder)
    }
}

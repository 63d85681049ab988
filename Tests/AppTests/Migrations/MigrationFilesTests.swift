import Foundation
import Migrations
import Postgres
import Testing

/// The files of `migrations/`.
@Suite struct MigrationFilesTests {
    @Test func eachFileIsEmbedded() throws {
        #expect(TestMigrations.all.map(\.version) == Array(1...TestMigrations.all.count))
        let files = try FileManager.default.contentsOfDirectory(atPath: TestMigrations.folder.path())
        let names = TestMigrations.all.map { "\(String(format: "%04d", $0.version))_\($0.name).sql" }
        #expect(files.filter { $0.hasSuffix(".sql") }.sorted() == names + ["adoption.sql", "structure.sql"])
        let texts = TestMigrations.all.map(\.sql) + [MigrationSources.adoption.sql]
        for (name, text) in zip(names + ["adoption.sql"], texts) {
            #expect(try String(contentsOf: TestMigrations.folder.appending(path: name), encoding: .utf8) == text)
        }
    }
}

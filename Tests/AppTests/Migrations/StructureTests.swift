import Foundation
import Postgres
import TestSupport
import Testing

/// `migrations/structure.sql`.
@Suite struct StructureTests {
    @Test func aFreshDatabaseIsAsRecorded() async throws {
        let fresh = try await TestMigrations.database { try await TestMigrations.migrator($0).migrate() }
        let structure = try await DatabaseStructure(fresh).text
        await fresh.close()
        let file = TestMigrations.folder.appending(path: "structure.sql")
        try compareWithRecorded(structure, in: file)
    }
}

import Foundation
import Postgres
import Testing

/// `migrations/structure.sql`.
@Suite struct StructureTests {
    /// With TERTULIA_RECORD=1 it is written instead of compared.
    @Test func structureIsThatOfAFreshDatabase() async throws {
        let fresh = try await TestMigrations.database { try await TestMigrations.migrator($0).migrate() }
        let structure = try await DatabaseStructure(fresh).text
        await fresh.close()
        let file = TestMigrations.folder.appending(path: "structure.sql")
        if ProcessInfo.processInfo.environment["TERTULIA_RECORD"] != nil {
            try structure.write(to: file, atomically: true, encoding: .utf8)
        }
        let recorded = try String(contentsOf: file, encoding: .utf8)
        let difference = zip(structure.split(separator: "\n"), recorded.split(separator: "\n")).first { $0 != $1 }
        #expect(structure == recorded, "\(difference.map { "\($0)" } ?? "another length")")
    }
}

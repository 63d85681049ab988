import Foundation
import Testing

@testable import Postgres

/// Servers of the release before go on while the database is migrated, and until they are replaced: what they send can
/// still be prepared.
///
/// `previous-release.sql` has these statements, each below its pool and the types of its values. `scripts/record release` writes
/// there what the documents of the folders `Operations/` send. It is run once a release, with the release's tag. Until the first
/// release the file has the statements of the first release to come.
@Suite struct PreviousReleaseTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "previous-release.sql")

    @Test func itsStatementsCanBePrepared() async throws {
        let world = try await World.make()
        if ProcessInfo.processInfo.environment["TERTULIA_RECORD_RELEASE"] != nil {
            try await Self.recorded(on: world).write(to: Self.file, atomically: true, encoding: .utf8)
        }
        let statements = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n\n")
        #expect(statements.count > 100)
        var connections: [String: DedicatedConnection] = [:]
        for role in ["tertulia_server", "tertulia_worker"] {
            connections[role] = try await DedicatedConnection.open(ConnectionConfiguration(world.url, role: role))
        }
        for statement in statements {
            let end = try #require(statement.firstIndex(of: "\n"))
            let title = try #require(statement[..<end].firstMatch(of: /^-- (\w+)( \(.+\))?$/)).output
            let connection = try #require(connections[title.1 == "worker" ? "tertulia_worker" : "tertulia_server"])
            do {
                try await connection.execute(
                    script: "prepare previous\(title.2 ?? "") as \(statement[end...]); deallocate previous")
            } catch {
                Issue.record("\(error)\n\(statement)")
            }
        }
        for connection in connections.values { await connection.close() }
        await world.shutdown()
    }

    private static func recorded(on world: World) async throws -> String {
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        var texts: [String] = []
        for (pool, statements) in try await DocumentStatements.sent(on: world) {
            for sql in statements {
                let oids = sql.parameters.map { Int64($0.oid) }
                let types = try await connection.execute(
                    """
                    select coalesce(' (' || string_agg(format_type(oid, null), ', ' order by place) || ')', '')
                    from unnest(\(oids)) with ordinality as t (oid, place)
                    """)[0].string(0)
                texts.append("-- \(pool)\(types)\n\(brokenBeforeClauses(sql.text))\n")
            }
        }
        await connection.close()
        return texts.sorted().joined(separator: "\n")
    }
}

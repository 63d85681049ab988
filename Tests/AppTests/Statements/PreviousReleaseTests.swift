import Foundation
import Testing

@testable import Postgres

/// Servers of the release before go on while the database is migrated, and until they are replaced: what they send can
/// still be prepared, and its columns have the types that they had.
///
/// `previous-release.sql` has these statements, each below its pool, the types of its values and those of its columns.
/// `scripts/record release` writes
/// there what the documents of the folders `Operations/` send. It is run once a release, with the release's tag. Until the first
/// release the file has the statements of the first release to come.
@Suite struct PreviousReleaseTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "previous-release.sql")

    @Test func itsStatementsHaveTheSameColumns() async throws {
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
            let title = try #require(
                statement.firstMatch(of: /^-- (\w+)(?: \((?<values>.+)\))?\n-- gives (?<columns>.+)\n/)
            ).output
            let connection = try #require(connections[title.1 == "worker" ? "tertulia_worker" : "tertulia_server"])
            do {
                let values = try await Self.oids(title.values.map(String.init), connection)
                let columns = try await Self.columns(of: String(statement), values, connection)
                #expect(columns == title.columns, "\(statement)")
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
                let oids = sql.parameters.map(\.oid)
                let values = oids.isEmpty ? "" : " (\(try await names(oids, connection)))"
                let columns = try await columns(of: sql.text, oids, connection)
                texts.append("-- \(pool)\(values)\n-- gives \(columns)\n\(brokenBeforeClauses(sql.text))\n")
            }
        }
        await connection.close()
        return texts.sorted().joined(separator: "\n")
    }

    /// The names of the types of a statement's columns.
    private static func columns(
        of text: String, _ values: [UInt32], _ connection: DedicatedConnection
    ) async throws -> String {
        let columns = try await connection.columns(of: text, parameterTypes: values)
        return columns.isEmpty ? "nothing" : try await names(columns.map(\.type), connection)
    }

    private static func names(_ oids: [UInt32], _ connection: DedicatedConnection) async throws -> String {
        try await connection.one(
            """
            select string_agg(format_type(oid, null), ', ' order by place)
            from unnest(\(oids.map { Int64($0) })) with ordinality as t (oid, place)
            """
        ) { $0.string(0) }
    }

    private static func oids(_ names: String?, _ connection: DedicatedConnection) async throws -> [UInt32] {
        guard let names else { return [] }
        return try await connection.execute(
            """
            select to_regtype(name)::oid::bigint
            from unnest(string_to_array(\(names), ', ')) with ordinality as t (name, place) order by place
            """
        ).decoded { UInt32($0.int64(0)) }
    }
}

import Foundation
import GraphQL
import Testing

@testable import App
@testable import Postgres

/// Every statement that the documents of the folders `Operations/` send, planned on a large database in the role that
/// runs it: no plan reads or sorts a whole table.
@Suite struct StatementPlanTests {
    /// Rows; smaller tables may be read as a whole.
    private static let smallTable = 1000.0

    @Test func noStatementReadsOrSortsAWholeTable() async throws {
        let world = try await World.make(from: .large)
        let tables = Dictionary(uniqueKeysWithValues: try await world.rows(TableSizes()))
        for (pool, statements) in try await DocumentStatements.sent(on: world) {
            let explainer = try await PlanExplainer(world.url, pool: pool)
            for sql in statements {
                let plans = [try await explainer.plan(sql)]
                // The slow pool plans for the values of each statement.
                for plan in pool == "slow" ? plans : plans + [try await explainer.genericPlan(sql)] {
                    for problem in plan.problems(tables, over: Self.smallTable) {
                        Issue.record("\(problem)\n\(brokenBeforeClauses(sql.text))\n\(plan)")
                    }
                }
            }
            await explainer.close()
        }
        await world.shutdown()
    }

    /// The predicate finds what it is there to find.
    @Test func wholeTablesAreNoticed() async throws {
        let world = try await World.make(from: .large)
        let tables = Dictionary(uniqueKeysWithValues: try await world.rows(TableSizes()))
        let explainer = try await PlanExplainer(world.url, pool: "read")
        func problems(_ sql: SQL) async throws -> [String] {
            try await explainer.plan(sql).problems(tables, over: Self.smallTable)
        }
        #expect(try await problems("select * from users where bio = \("x")") == ["reads all of users"])
        #expect(try await problems("select * from thoughts where text <> \("x") order by text").count == 2)
        #expect(try await problems("select * from users where username = \("ana")") == [])
        await explainer.close()
        await world.shutdown()
    }
}

private struct TableSizes: Statement {
    var sql: SQL { "select relname::text, reltuples::float8 from pg_class where relkind = 'r'" }
    func decode(_ row: Row) -> (String, Double) { (row.string(0), row.double(1)) }
}

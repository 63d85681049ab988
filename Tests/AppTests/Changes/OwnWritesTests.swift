import GraphQL
import Postgres
import TestSupport
import Testing

@testable import App
@testable import ChangeFeed

/// What a client reads of the log after its own write was acknowledged.
@Suite(.timeLimit(.minutes(10))) struct OwnWritesTests {
    private struct Page {
        let ids: [String]
        let end: String
        let hasNext: Bool
    }

    private static func page(_ live: LiveWorld, after cursor: String) async throws -> Page {
        let answer = try await live.world.ask(
            """
            { changes(after: "\(cursor)", scopes: [{feed: {}}], first: 100) \
            { nodes { nodeId } pageInfo { hasNextPage endCursor } } }
            """, as: .ana)
        guard case .list(let nodes) = answer["changes", "nodes"] else { throw ExecutionError.unavailable }
        let ids = nodes.compactMap { node -> String? in
            guard case .object(let node) = node, case .string(let id) = node["nodeId"] else { return nil }
            return id
        }
        return Page(
            ids: ids, end: try #require(answer.string("changes", "pageInfo", "endCursor")),
            hasNext: answer["changes", "pageInfo", "hasNextPage"] == .boolean(true))
    }

    private static func create(_ live: LiveWorld) async throws -> String {
        let answer = try await live.world.ask(
            "mutation { createThought(input: {category: FUNNY, text: \"Mine\"}) { thought { id } } }", as: .ana)
        return try #require(answer.string("createThought", "thought", "id"))
    }

    @Test func theListHasWhatWasAcknowledged() async throws {
        let live = try await LiveWorld.make()
        var cursor = try #require(live.world.environment.changes.cursor).text
        for _ in 0..<30 {
            let id = try await Self.create(live)
            var ids: [String] = []
            try await eventually("the last page, after \(ids)") {
                let page = try await Self.page(live, after: cursor)
                ids += page.ids
                cursor = page.end
                return !page.hasNext
            }
            #expect(ids == [id])
        }
        await live.shutdown()
    }

    /// A row of the newer transaction may not be read before the older one has ended.
    @Test func itSaysSoWhereAnOlderTransactionStillRuns() async throws {
        let live = try await LiveWorld.make()
        let start = try #require(live.world.environment.changes.cursor).text
        let older = try await DedicatedConnection.open(ConnectionConfiguration(live.world.url))
        try await older.execute(script: "begin; select pg_current_xact_id()")
        let id = try await Self.create(live)
        let early = try await Self.page(live, after: start)
        #expect(early.ids == [] && early.hasNext)
        try await older.execute(script: "rollback")
        await older.close()
        var ids: [String] = []
        var page = early
        try await eventually("the last page, after \(ids)") {
            page = try await Self.page(live, after: page.end)
            ids += page.ids
            return !page.hasNext
        }
        #expect(ids == [id])
        await live.shutdown()
    }
}

import Postgres
import Testing

@Suite struct SettingsTests {
    private static func viewer(_ name: String) -> SQL { "select set_config('app.viewer_id', \(name), true)" }
    private struct Viewer: Statement {
        var sql: SQL { "select current_setting('app.viewer_id', true)" }
        func decode(_ row: Row) -> String? { row.string(optional: 0) }
    }

    @Test func holdForTheirOwnSegmentOnly() async throws {
        try await withPool(connections: 1) { pool in
            let ada = pool.start(Viewer(), settings: Self.viewer("ada"))
            let failing = pool.start(Query("select 1 / 0") { $0.int32(0) }, settings: Self.viewer("eve"))
            let nobody = pool.start(Viewer())
            let bob = pool.start(Viewer(), settings: Self.viewer("bob"))
            let segment = pool.start(
                Segment(settings: Self.viewer("cy"), [Viewer().sql, "select 1 / 0", Viewer().sql]))
            let last = pool.start(Viewer())
            let viewers = try await [ada.value, nobody.value, bob.value, last.value]
            #expect(viewers == [["ada"], [""], ["bob"], [""]])
            await #expect(throws: PostgresError.self) { _ = try await failing.value }
            await #expect(throws: PostgresError.self) { _ = try await segment.value }
        }
    }

    @Test func holdUnderLoad() async throws {
        try await withPool(connections: 2) { pool in
            let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<600 {
                    group.addTask {
                        let name = "viewer \(number)"
                        if number % 7 == 0 {
                            _ = try? await pool.run(Query("select 1 / 0") { $0.int32(0) }, settings: Self.viewer(name))
                        }
                        return try await pool.run(Viewer(), settings: Self.viewer(name)) != [name]
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(wrong == 0)
        }
    }

    @Test func failingSettingsFailTheSegment() async throws {
        try await withPool(connections: 1) { pool in
            let failing = pool.start(Viewer(), settings: "select 1 / 0")
            let next = pool.start(Viewer(), settings: Self.viewer("ada"))
            let error = await #expect(throws: PostgresError.self) { _ = try await failing.value }
            #expect(error?.server?.statement == nil)
            let viewers = try await next.value
            #expect(viewers == ["ada"])
        }
    }
}

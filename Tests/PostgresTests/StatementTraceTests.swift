import Postgres
import Synchronization
import Testing

@Suite struct StatementTraceTests {
    private final class Segments: Sendable {
        let recorded = Mutex<[TracedSegment]>([])

        var all: [TracedSegment] { recorded.withLock { $0 } }
        var trace: StatementTrace {
            StatementTrace { segment in self.recorded.withLock { $0.append(segment) } }
        }
    }

    private struct ThreeNumbers: Statement {
        var sql: SQL { "select generate_series(1, 3)::int8" }

        func decode(_ row: Row) -> Int64 { row.int64(0) }
    }

    @Test func hasNamesRowsAndTimes() async throws {
        let segments = Segments()
        try await withPool { pool in
            try await StatementTrace.$current.withValue(segments.trace) {
                _ = try await pool.run(ThreeNumbers(), settings: "select set_config('app.viewer_id', 'x', true)")
                _ = try await pool.run(Segment(["select 1", "select generate_series(1, 4)"]))
                _ = try? await pool.run(Segment(["select 1 / 0"]))
            }
            _ = try await pool.run(ThreeNumbers())
        }
        let all = segments.all
        #expect(all.map(\.name) == ["ThreeNumbers", "StatementTraceTests", "StatementTraceTests"])
        #expect(all.map(\.rows) == [3, 5, nil])
        for segment in all { #expect(segment.startedAt < segment.endedAt) }
    }

    @Test func aTraceInsideAnotherTellsBoth() async throws {
        let (outer, inner) = (Segments(), Segments())
        try await withPool { pool in
            try await StatementTrace.$current.withValue(outer.trace) {
                _ = try await pool.run(ThreeNumbers())
                let nested = StatementTrace(inside: .current) { segment in
                    inner.recorded.withLock { $0.append(segment) }
                }
                try await StatementTrace.$current.withValue(nested) { _ = try await pool.run(ThreeNumbers()) }
            }
        }
        #expect(outer.all.map(\.name) == ["ThreeNumbers", "ThreeNumbers"])
        #expect(inner.all.map(\.name) == ["ThreeNumbers"])
    }

    @Test func followsChildTasksAndLentConnections() async throws {
        let segments = Segments()
        try await withPool { pool in
            try await StatementTrace.$current.withValue(segments.trace) {
                async let one = pool.run(ThreeNumbers())
                _ = try await one
                try await pool.withConnection { connection in
                    try await connection.transaction { _ = try await $0.run(ThreeNumbers()) }
                }
            }
        }
        #expect(
            segments.all.map(\.name)
                == ["ThreeNumbers", "StatementTraceTests", "ThreeNumbers", "StatementTraceTests"])
    }
}

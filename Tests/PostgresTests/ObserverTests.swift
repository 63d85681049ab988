import Postgres
import Synchronization
import Testing

@Suite struct ObserverTests {
    @TaskLocal static var request = 0

    @Test func seesEverySegmentInItsCallersTask() async throws {
        let seen = Mutex<[(Int, SegmentStarted)]>([])
        try await withPool {
            $0.observer = { segment in
                let request = Self.request
                seen.withLock { $0.append((request, segment)) }
            }
        } _: { pool in
            try await Self.$request.withValue(7) {
                _ = try await pool.run(
                    Query("select \(1) + \(2)") { $0.int64(0) },
                    settings: "select set_config('app.viewer_id', \("ada"), true)")
                _ = try await pool.run(Segment(["select 1", "select 2"]))
            }
            let seen = seen.withLock { $0 }
            #expect(seen.map(\.0) == [7, 7])
            #expect(seen[0].1.settings == "select set_config('app.viewer_id', $1, true)")
            #expect(seen.map(\.1.statements) == [["select $1 + $2"], ["select 1", "select 2"]])
            #expect(pool.statistics.statements == 3)
        }
    }
}

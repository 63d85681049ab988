import Testing

@testable import Postgres

@Suite struct DurationCountsTests {
    @Test(arguments: [
        (Duration.zero, 0), (.microseconds(64), 0), (.nanoseconds(64_001), 1), (.microseconds(128), 1),
        (.microseconds(129), 2), (.milliseconds(4_194), 16), (.microseconds(1 << 22), 16), (.seconds(5), 17),
        (.seconds(1_000_000), 17), (.seconds(-1), 0),
    ])
    func findsTheBucket(_ duration: Duration, _ bucket: Int) {
        var counts = DurationCounts()
        counts.note(duration)
        #expect(counts.counts.firstIndex(of: 1) == bucket)
        #expect(counts.counts.reduce(0, +) == 1)
        guard duration > .zero, bucket < DurationCounts.bounds.count else { return }
        #expect(counts.sum <= DurationCounts.bounds[bucket])
        #expect(bucket == 0 || counts.sum > DurationCounts.bounds[bucket - 1])
    }

    @Test func countsAPoolsSegments() async throws {
        try await withPool { pool in
            for _ in 0..<3 { _ = try await pool.run(Segment(["select 1"])) }
            let durations = pool.statistics.durations
            #expect(durations.counts.reduce(0, +) == 3)
            #expect(durations.sum > 0)
        }
    }
}

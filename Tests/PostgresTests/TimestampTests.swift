import Postgres
import Testing

@Suite struct TimestampTests {
    @Test func unixMilliseconds() {
        #expect(Timestamp(unixMilliseconds: 946_684_800_000).microseconds == 0)
        #expect(Timestamp(unixMilliseconds: -1).unixMilliseconds == -1)
        #expect(Timestamp(unixMicroseconds: -1).unixMilliseconds == -1)
        #expect(Timestamp(unixMicroseconds: 1999).unixMilliseconds == 1)
    }

    @Test func agreesWithTheServer() async throws {
        try await withPool { pool in
            let before = Timestamp.now()
            let rows = try await pool.run(
                Query("select to_timestamp(1700000000.123456), now()") { ($0.timestamp(0), $0.timestamp(1)) })
            #expect(rows[0].0.unixMicroseconds == 1_700_000_000_123_456)
            #expect(before <= rows[0].1 && rows[0].1 <= .now())
        }
    }
}

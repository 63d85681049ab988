import Postgres
import Testing

@testable import ChangeFeed

@Suite struct RecentRowsTests {
    private static func row(_ number: Int64, at: Int64? = nil, object: UInt64? = nil) -> RecentRows.Row {
        RecentRows.Row(
            position: ChangePosition(transaction: number, row: number), object: testUUID(object ?? UInt64(number)),
            at: Timestamp(microseconds: at ?? number))
    }

    private static func rows(_ numbers: some Sequence<Int64>) -> [RecentRows.Row] { numbers.map { row($0) } }

    private static func isKept(
        _ read: [RecentRows.Row], in found: [RecentRows.Row], keptSince: Int64 = 0
    ) -> Bool {
        var trail = RecentRows()
        trail.append(read)
        return trail.isKept(in: found, keptSince: Timestamp(microseconds: keptSince))
    }

    @Test func theSameRowsAreKept() {
        #expect(Self.isKept([], in: Self.rows(1...5)))
        #expect(Self.isKept(Self.rows(1...5), in: Self.rows(1...5)))
        // The found rows may begin before the trail.
        #expect(Self.isKept(Self.rows(3...5), in: Self.rows(1...5)))
    }

    @Test func oneThatIsGoneOrAnotherIsALoss() {
        for lost in Int64(1)...5 {
            #expect(!Self.isKept(Self.rows(1...5), in: Self.rows((1...5).filter { $0 != lost })))
            for other in [Self.row(lost, at: 99), Self.row(lost, object: 99)] {
                let found = Self.rows(1...5).map { $0.position.row == lost ? other : $0 }
                #expect(!Self.isKept(Self.rows(1...5), in: found))
            }
        }
        #expect(!Self.isKept(Self.rows(1...5), in: []))
        #expect(!Self.isKept(Self.rows([1, 2, 5]), in: Self.rows([1, 2, 3, 5])))
    }

    /// Rows are kept for seven days, so older rows may have been dropped.
    @Test func whatIsOldMayBeGone() {
        #expect(Self.isKept(Self.rows(1...5), in: Self.rows(4...5), keptSince: 4))
        #expect(Self.isKept(Self.rows(1...5), in: [], keptSince: 6))
        #expect(!Self.isKept(Self.rows(1...5), in: Self.rows([5]), keptSince: 4))
    }

    @Test func theNewestThousandAreRemembered() {
        var trail = RecentRows()
        // Each read repeats the last row of the read before.
        for first in stride(from: Int64(1), to: 3_000, by: 100) {
            trail.append(Self.rows(max(1, first - 1)..<(first + 100)))
        }
        #expect(trail.isKept(in: Self.rows(2_001...3_000), keptSince: Timestamp(microseconds: 0)))
        #expect(!trail.isKept(in: Self.rows(2_002...3_000), keptSince: Timestamp(microseconds: 0)))
    }
}

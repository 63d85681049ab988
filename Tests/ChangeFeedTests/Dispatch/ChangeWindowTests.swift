import Postgres
import Testing

@testable import ChangeFeed

@Suite struct ChangeWindowTests {
    static func change(_ transaction: Int64, object: UInt64 = 1, counters: Bool = false, at: Int64 = 0) -> Change {
        Change(
            position: ChangePosition(transaction: transaction, row: transaction), at: Timestamp(microseconds: at),
            object: poll(object), before: nil, after: nil, isCountersOnly: counters)
    }

    @Test func forgetsTheOldest() {
        var window = ChangeWindow(start: ChangePosition(transaction: 0, row: 0), capacity: 10)
        for number in 1...100 { window.append(Self.change(Int64(number))) }
        for position in 0...100 {
            let found = window.changes(after: ChangePosition(transaction: Int64(position), row: Int64(position)))
            #expect(found?.map(\.position.transaction) == (position < 90 ? nil : Array(Int64(position) + 1..<101)))
        }
    }

    /// The window's rows are allocated in blocks of 1,000.
    @Test func goesOnFromBlockToBlock() {
        var window = ChangeWindow(start: ChangePosition(transaction: 0, row: 0), capacity: 2_500)
        for number in 1...9_999 { window.append(Self.change(Int64(number))) }
        for position in [7_498, 7_499, 7_999, 8_000, 8_001, 8_999, 9_000, 9_998, 9_999, 10_000] {
            let found = window.changes(after: ChangePosition(transaction: Int64(position), row: Int64(position)))
            let expected = position < 7_499 ? nil : Array(Int64(position) + 1..<max(10_000, Int64(position) + 1))
            #expect(found?.map(\.position.transaction) == expected, "after \(position)")
        }
    }

    /// The second transaction began after the first one, and wrote before it.
    @Test func knowsWhatALaterRowHasOvertaken() {
        var window = ChangeWindow(start: ChangePosition(transaction: 0, row: 0))
        let rows: [Change] = [
            .of(1, at: 1, row: 5), .of(1, at: 2, row: 3), .of(2, at: 3, row: 1), .of(1, at: 4, row: 7),
        ]
        for row in rows { window.append(row) }
        #expect(rows.map(window.firstThatOvertook) == [nil, rows[0].position, nil, nil])
    }

    @Test func whatWasHeldBackIsTheNewestOfEachObject() {
        var window = ChangeWindow(start: ChangePosition(transaction: 0, row: 0))
        window.append(Self.change(1, object: 9, counters: true, at: 0))
        window.append(Self.change(2, object: 1, counters: true, at: 900_000))
        window.append(Self.change(3, object: 2, counters: true, at: 950_000))
        window.append(Self.change(4, object: 1, counters: true, at: 1_000_000))
        window.append(Self.change(5, object: 2, counters: false, at: 1_000_000))
        window.append(Self.change(6, object: 3, counters: true, at: 1_000_001))
        let (first, last) = (ChangePosition(transaction: 2, row: 2), ChangePosition(transaction: 5, row: 5))
        #expect(window.counterChanges(from: first, through: last)?.map(\.position.transaction) == [4])
    }

    @Test func countersAreMergedToFourASecond() {
        var conflation = CounterConflation()
        let start = ContinuousClock.now
        func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }
        var sent: [Int64] = []
        func admit(_ transaction: Int64, counters: Bool = true, at milliseconds: Int) {
            let change = Self.change(transaction, counters: counters)
            if conflation.admit(change, now: at(milliseconds)) { sent.append(transaction) }
        }
        func take(at milliseconds: Int) {
            sent += conflation.take(now: at(milliseconds)).map(\.position.transaction)
        }
        admit(1, at: 0)
        admit(2, at: 10)
        admit(3, at: 20)
        #expect(sent == [1] && conflation.due == at(250))
        // A client that gets a cursor now has not received the second and third change.
        #expect(conflation.oldestHeld?.transaction == 2)
        take(at: 249)
        #expect(sent == [1])
        take(at: 250)
        #expect(sent == [1, 3])
        #expect(conflation.oldestHeld == nil)
        admit(4, at: 300)
        // The object is read when this change is sent, and has the counters of the fourth then.
        admit(5, counters: false, at: 310)
        take(at: 600)
        admit(6, at: 600)
        #expect(sent == [1, 3, 5, 6])
    }
}

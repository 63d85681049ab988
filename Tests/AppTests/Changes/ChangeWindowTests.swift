import Postgres
import Testing

@testable import App

@Suite struct ChangeWindowTests {
    static func change(_ transaction: Int64, object: UInt64 = 1, counters: Bool = false, at: Int64 = 0) -> Change {
        Change(
            position: ChangePosition(transaction: transaction, row: transaction), at: Timestamp(microseconds: at),
            object: TypeID(.thought, worldUUID(object)), before: nil, after: nil, isCountersOnly: counters)
    }

    @Test func forgetsTheOldest() {
        var window = ChangeWindow(start: ChangePosition(transaction: 0, row: 0), capacity: 10)
        for number in 1...100 { window.append(Self.change(Int64(number))) }
        for position in 0...100 {
            let found = window.changes(after: ChangePosition(transaction: Int64(position), row: Int64(position)))
            #expect(found?.map(\.position.transaction) == (position < 90 ? nil : Array(Int64(position) + 1..<101)))
        }
    }

    @Test func whatWasHeldBackIsTheNewestOfEachObject() {
        var window = ChangeWindow(start: ChangePosition(transaction: 0, row: 0))
        window.append(Self.change(1, object: 9, counters: true, at: 0))
        window.append(Self.change(2, object: 1, counters: true, at: 900_000))
        window.append(Self.change(3, object: 2, counters: true, at: 950_000))
        window.append(Self.change(4, object: 1, counters: true, at: 1_000_000))
        window.append(Self.change(5, object: 2, counters: false, at: 1_000_000))
        window.append(Self.change(6, object: 3, counters: true, at: 1_000_001))
        let held = window.counterChanges(before: ChangePosition(transaction: 5, row: 5))
        #expect(held.map(\.position.transaction) == [4])
    }

    @Test func countersAreMergedToFourASecond() {
        var conflation = CounterConflation()
        let start = ContinuousClock.now
        func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }
        #expect(conflation.admit(Self.change(1, counters: true), now: at(0)))
        #expect(!conflation.admit(Self.change(2, counters: true), now: at(10)))
        #expect(!conflation.admit(Self.change(3, counters: true), now: at(20)))
        #expect(conflation.due == at(250))
        #expect(conflation.take(now: at(249)).isEmpty)
        #expect(conflation.take(now: at(250)).map(\.position.transaction) == [3])
        #expect(!conflation.admit(Self.change(4, counters: true), now: at(300)))
        // Its node is read when it goes out, with the counters.
        #expect(conflation.admit(Self.change(5), now: at(310)))
        #expect(conflation.take(now: at(600)).isEmpty)
        #expect(conflation.admit(Self.change(6, counters: true), now: at(600)))
    }
}

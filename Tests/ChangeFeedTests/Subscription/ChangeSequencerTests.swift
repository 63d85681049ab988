import Postgres
import Synchronization
import Testing

@testable import ChangeFeed

@Suite(.timeLimit(.minutes(10))) struct ChangeSequencerTests {
    private static func position(_ row: Int64) -> ChangePosition { ChangePosition(transaction: 1, row: row) }

    /// The queue of a subscriber that was given no change and waits.
    private static func parked() -> ChangeQueue {
        let queue = ChangeQueue()
        queue.ask(live: true)
        return queue
    }

    @Test func theOldestGoesFirst() async {
        let sequencers = ChangeSequencers()
        let (one, two) = (sequencers.slot(on: 1), sequencers.slot(on: 1))
        let elsewhere = sequencers.slot(on: 2)
        // The slots of another connection do not wait for these.
        #expect(await elsewhere.wait(at: Self.position(9)) {})
        let gone = Mutex<[String]>([])
        // The first slot's next change is not known, so the second slot waits. `InlineExecutor` resumes the second slot
        // within the call that ends its wait, so `gone` shows a slot that is resumed too early.
        let late = Task(executorPreference: InlineExecutor()) {
            _ = await two.wait(at: Self.position(5)) {}
            gone.withLock { $0.append("two at 5") }
        }
        gone.withLock { $0.append("one at 3") }
        _ = await one.wait(at: Self.position(3)) {}
        gone.withLock { $0.append("one asks") }
        one.ask(Self.parked())
        await late.value
        #expect(gone.withLock { $0 } == ["one at 3", "one asks", "two at 5"])
    }

    /// If the connection breaks between the two, the change is sent again.
    @Test func onlyTheLastOfTheSameChangeGivesItsCursor() async {
        let sequencers = ChangeSequencers()
        let (one, two) = (sequencers.slot(on: 1), sequencers.slot(on: 1))
        let isSending = Mutex(false)
        let second = Task.immediate {
            await two.wait(at: Self.position(5)) { isSending.withLock { $0 = true } }
        }
        #expect(isSending.withLock { $0 })
        #expect(await one.wait(at: Self.position(5)) {} == false)
        one.ask(Self.parked())
        #expect(await second.value)
        let cursor = ChangeCursor(epoch: 1, position: Self.position(5))
        func change(_ row: Int64, counters: Bool) -> Change {
            Change(
                position: Self.position(row), at: Timestamp(microseconds: 0), object: poll(1), before: nil, after: nil,
                isCountersOnly: counters)
        }
        let before = cursor.before(change(5, counters: false))
        #expect(before.position < cursor.position && before.position >= Self.position(4))
        #expect(before.before(change(5, counters: false)) == before)
        // The cursor before a counter change that was held back.
        let held = cursor.before(change(2, counters: true))
        #expect(held.position == cursor.position && held.held == Self.position(2))
        #expect(ChangeCursor(held.text) == held)
    }

    /// A client that resumes a connection sends its subscriptions one after another. If the machine pauses between the two
    /// slots for longer than the patience, the first slot rightly does not wait. The test then tries again with twice the
    /// patience.
    @Test func aResumedConnectionWaitsForAllOfThem() async {
        var patience = Duration.milliseconds(50)
        var wasInTime = false
        while !wasInTime {
            let end = ContinuousClock.now + patience
            let sequencers = ChangeSequencers(patience: patience)
            let one = sequencers.slot(on: 1, isResumed: true)
            let gone = Mutex<[Int]>([])
            let first = Task.immediate {
                _ = await one.wait(at: Self.position(5)) {}
                gone.withLock { $0.append(5) }
                one.ask(Self.parked())
            }
            let two = sequencers.slot(on: 1, isResumed: true)
            wasInTime = .now < end
            _ = await two.wait(at: Self.position(3)) {}
            gone.withLock { $0.append(3) }
            two.ask(Self.parked())
            await first.value
            if wasInTime { #expect(gone.withLock { $0 } == [3, 5]) }
            patience *= 2
        }
    }

    @Test func whoLeavesIsNotWaitedFor() async {
        let sequencers = ChangeSequencers()
        var one: SequencerSlot? = sequencers.slot(on: 1)
        let two = sequencers.slot(on: 1)
        let waiting = Task.immediate { await two.wait(at: Self.position(5)) {} }
        withExtendedLifetime(one) {}
        one = nil
        #expect(await waiting.value)
        let cancelled = Task { [third = sequencers.slot(on: 1)] in
            _ = await two.wait(at: Self.position(9)) {}
            withExtendedLifetime(third) {}
        }
        cancelled.cancel()
        await cancelled.value
        #expect(sequencers.count == 1)
    }

    /// A subscription may still use its slot after the slot was left.
    @Test func aPlaceThatWasLeftStaysLeft() async {
        let sequencers = ChangeSequencers()
        let (one, two) = (sequencers.slot(on: 1), sequencers.slot(on: 1))
        let waiting = Task { await two.wait(at: Self.position(5)) {} }
        one.leave()
        #expect(await waiting.value)
        // Otherwise the second slot would wait for this queue, whose reader is not idle.
        one.ask(ChangeQueue())
        #expect(two.isNext)
        _ = await one.wait(at: Self.position(3)) {}
        #expect(two.isNext)
        let third = sequencers.slot(on: 1)
        let own = Task { await two.wait(at: Self.position(9)) {} }
        two.leave()
        _ = await own.value
        third.leave()
        #expect(sequencers.count == 0)
    }
}

/// Runs each job at once, on the thread that enqueues it.
private final class InlineExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}

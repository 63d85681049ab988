import Testing

@testable import Postgres

/// Transcripts: each line is an event and what the set decides. Times are milliseconds, positions are transactions.
@Suite struct StandbySetStateTests {
    private static let epoch: Int64 = 7

    /// Standbys that were found streaming, with all transactions before 100 ended.
    private static func streaming(_ count: Int) -> StandbySetState {
        var state = fresh(count)
        state.primary(wal: 1000, at: 0)
        for index in 0..<count { state.answers(index, xmin: 100, replayed: 1000, at: 0) }
        return state
    }

    private static func fresh(_ count: Int) -> StandbySetState {
        StandbySetState(
            StandbySetState.Limits(
                standbys: count, maximumLag: .seconds(5)), now: .at(0))
    }

    private static func position(_ transaction: Int64, epoch: Int64 = epoch) -> TransactionPosition {
        TransactionPosition(epoch: epoch, transaction: transaction)
    }

    // MARK: Choice

    @Test func sharesReadsAmongTheStandbys() {
        var state = Self.streaming(3)
        #expect((0..<5).map { _ in state.choose(atLeast: nil) } == [0, 1, 2, 0, 1])
    }

    @Test func takesNoStandbyBeforeItIsProbed() {
        var state = Self.fresh(2)
        #expect(state.choose(atLeast: nil) == nil)
        // The history of the primary is not known yet.
        state.answers(0, xmin: 100, replayed: 1000, at: 1)
        #expect(state.choose(atLeast: nil) == nil && state.absence(of: 0) == .unprobed)
        state.primary(wal: 1000, at: 2)
        state.answers(1, xmin: 100, replayed: 1000, at: 3)
        #expect(state.choose(atLeast: nil) == 1)
    }

    @Test func staysWithTheStandbyThatARequestHasReadFrom() {
        var state = Self.streaming(2)
        #expect(state.choose(atLeast: nil, only: 1) == 1)
        #expect(state.choose(atLeast: nil, only: 1) == 1)
        state.ends(.unreachable, on: 1, at: 1)
        #expect(state.choose(atLeast: nil, only: 1) == nil)
    }

    // MARK: Positions

    @Test func aStandbyHasPassedAPositionWhenXminIsBeyondIt() {
        let state = Self.streaming(1)
        #expect(state.outcome(of: .streaming(xmin: 100), atLeast: Self.position(99)) == .served(xmin: 100))
        #expect(state.outcome(of: .streaming(xmin: 100), atLeast: Self.position(100)) == .behind(xmin: 100))
        #expect(state.outcome(of: .streaming(xmin: 100), atLeast: nil) == .served(xmin: 100))
    }

    @Test func aStandbyThatWasFoundBehindIsNotAskedInVain() {
        var state = Self.streaming(1)
        #expect(state.choose(atLeast: Self.position(105)) == 0)
        state.ends(.behind(xmin: 100), on: 0, at: 1)
        #expect(state.choose(atLeast: Self.position(105)) == nil)
        #expect(state.choose(atLeast: Self.position(100)) == nil)
        // Reads that need less still run there.
        #expect(state.choose(atLeast: Self.position(99)) == 0)
        #expect(state.choose(atLeast: nil) == 0)
        // A probe finds it where it was, another one finds that it has moved on.
        state.answers(0, xmin: 100, replayed: 1000, at: 250)
        #expect(state.choose(atLeast: Self.position(105)) == nil)
        state.answers(0, xmin: 106, replayed: 1000, at: 500)
        #expect(state.choose(atLeast: Self.position(105)) == 0)
    }

    @Test func aReadMayFindThatTheStandbyHasMovedOn() {
        var state = Self.streaming(1)
        state.ends(.behind(xmin: 100), on: 0, at: 1)
        state.ends(.served(xmin: 110), on: 0, at: 2)
        #expect(state.choose(atLeast: Self.position(105)) == 0)
    }

    @Test func aPositionOfAnotherEpochIsThePrimarys() {
        var state = Self.streaming(1)
        #expect(state.choose(atLeast: Self.position(5, epoch: 8)) == nil)
        #expect(state.choose(atLeast: Self.position(5)) == 0)
        #expect(state.outcome(of: .streaming(xmin: 100), atLeast: Self.position(5, epoch: 8)) == .otherHistory)
        #expect(state.outcome(of: .streaming(xmin: 100, epoch: 8), atLeast: nil) == .otherHistory)
    }

    @Test func noStandbyIsTakenWhileThePrimaryHasNoEpoch() {
        var state = Self.streaming(1)
        state.primary(wal: 1100, at: 10, isCurrent: false)
        #expect(state.choose(atLeast: nil) == nil)
        #expect(state.outcome(of: .streaming(xmin: 100), atLeast: nil) == .otherHistory)
        state.primary(wal: 1200, at: 20, epoch: 8)
        #expect(state.choose(atLeast: Self.position(5)) == nil)
        // The standby has not replayed the row with the new epoch.
        state.answers(0, xmin: 100, replayed: 1100, at: 30)
        #expect(state.absence(of: 0) == .otherHistory)
        state.answers(0, xmin: 120, replayed: 1200, epoch: 8, at: 80)
        #expect(state.choose(atLeast: Self.position(5, epoch: 8)) == 0)
    }

    // MARK: Absences

    @Test(arguments: [
        (StandbySetState.Outcome.unreachable, StandbySetState.Absence.unreachable),
        (.conflicting, .conflicting), (.promoted, .promoted), (.otherHistory, .otherHistory),
    ])
    func aStandbyThatFailsIsLeftOutAtOnce(
        _ outcome: StandbySetState.Outcome, _ absence: StandbySetState.Absence
    ) {
        var state = Self.streaming(2)
        state.ends(outcome, on: 0, at: 1)
        #expect(state.absence(of: 0) == absence)
        #expect((0..<3).map { _ in state.choose(atLeast: nil) } == [1, 1, 1])
        // It is probed after 12 to 25 ms, and then takes reads again.
        #expect((12...25).contains(state.rest(of: 0, now: .at(1)).milliseconds))
        state.answers(0, xmin: 100, replayed: 1000, at: 30)
        #expect(state.choose(atLeast: nil) == 0)
        #expect(state.rest(of: 0, now: .at(30)) == .zero)
    }

    @Test func aRefusedReadIsNoFaultOfTheStandby() {
        var state = Self.streaming(1)
        state.ends(.refused, on: 0, at: 1)
        #expect(state.choose(atLeast: nil) == 0)
        #expect(state.statistics(of: 0).fallbacks == 1)
    }

    @Test func probesOfADeadStandbyGetRarer() {
        var state = Self.streaming(1)
        var rests: [Int64] = []
        for _ in 0..<8 {
            state.probeFails(0, at: 0)
            rests.append(state.rest(of: 0, now: .at(0)).milliseconds)
        }
        for (rest, limit) in zip(rests, [25, 50, 100, 200, 400, 800, 1000, 1000]) {
            #expect(Int64(limit / 2)...Int64(limit) ~= rest)
        }
    }

    @Test func theBackOffBeginsAnewAfterTenSteadySeconds() {
        var state = Self.streaming(1)
        for _ in 0..<8 { state.probeFails(0, at: 0) }
        // The standby comes back for less than ten seconds.
        state.answers(0, xmin: 100, replayed: 1000, at: 1)
        state.answers(0, xmin: 100, replayed: 1000, at: 10_000)
        state.probeFails(0, at: 10_000)
        #expect(state.rest(of: 0, now: .at(10_000)).milliseconds >= 500)
        state.answers(0, xmin: 100, replayed: 1000, at: 11_000)
        state.probeFails(0, at: 21_000)
        #expect(state.rest(of: 0, now: .at(21_000)).milliseconds <= 25)
    }

    @Test func readsInFlightDoNotLengthenARest() {
        var state = Self.streaming(1)
        for _ in 0..<64 { state.ends(.unreachable, on: 0, at: 1) }
        #expect(state.rest(of: 0, now: .at(1)).milliseconds <= 25)
        #expect(state.statistics(of: 0).fallbacks == 64)
        // Nor do they give the absence another reason.
        state.ends(.conflicting, on: 0, at: 2)
        #expect(state.absence(of: 0) == .unreachable)
    }

    @Test func aSlowReadIsNoFaultOfTheStandby() {
        var state = Self.streaming(1)
        for time in 1...5 {
            state.ends(.late, on: 0, at: time)
            state.ends(.late, on: 0, at: time)
            state.ends(.served(xmin: 100), on: 0, at: time)
        }
        #expect(state.choose(atLeast: nil) == 0)
        // Where nothing is answered between them, the standby is slow.
        for _ in 0..<3 { state.ends(.late, on: 0, at: 6) }
        #expect(state.absence(of: 0) == .late && state.choose(atLeast: nil) == nil)
    }

    @Test func aPromotedStandbyIsFoundByItsCheckAndItsProbe() {
        var state = Self.streaming(1)
        let check = StandbyCheck(isInRecovery: false, epoch: Self.epoch, xmin: 100)
        #expect(state.outcome(of: check, atLeast: nil) == .promoted)
        state.answers(0, xmin: 100, replayed: 1000, isInRecovery: false, at: 1)
        #expect(state.absence(of: 0) == .promoted)
    }

    // MARK: Lag

    @Test func aStandbyThatLagsIsLeftOut() {
        var state = Self.streaming(1)
        state.primary(wal: 2000, at: 1000)
        state.primary(wal: 3000, at: 4000)
        state.answers(0, xmin: 100, replayed: 1000, at: 6000)
        #expect(state.statistics(of: 0).lag == .milliseconds(5000) && state.choose(atLeast: nil) == 0)
        state.answers(0, xmin: 100, replayed: 1000, at: 6001)
        #expect(state.absence(of: 0) == .lagging && state.choose(atLeast: nil) == nil)
        state.answers(0, xmin: 100, replayed: 2000, at: 6100)
        #expect(state.statistics(of: 0).lag == .milliseconds(2100) && state.choose(atLeast: nil) == 0)
        state.answers(0, xmin: 100, replayed: 3000, at: 6200)
        #expect(state.statistics(of: 0).lag == .zero)
    }

    @Test func anIdlePrimaryMakesNoLag() {
        var trail = WALTrail()
        trail.append(1000, at: .at(0))
        trail.append(1000, at: .at(60_000))
        #expect(trail.lag(of: 1000, now: .at(60_000)) == .zero)
        #expect(trail.lag(of: 999, now: .at(60_000)) == .seconds(60))
    }

    @Test func theWALOfAnotherPrimaryMayEndEarlier() {
        var trail = WALTrail()
        trail.append(2000, at: .at(0))
        trail.append(1500, at: .at(100))
        #expect(trail.lag(of: 1500, now: .at(300)) == .zero)
        #expect(trail.lag(of: 1400, now: .at(300)) == .milliseconds(200))
    }

    // MARK: Counts

    @Test func countsReadsAndFallbacks() {
        var state = Self.streaming(2)
        state.ends(.served(xmin: 100), on: 1, at: 1)
        state.ends(.served(xmin: 100), on: 1, at: 1)
        state.ends(.behind(xmin: 100), on: 1, at: 1)
        #expect(state.statistics(of: 1) == StandbyStatistics(takesReads: true, reads: 2, fallbacks: 1))
        #expect(state.statistics(of: 0) == StandbyStatistics(takesReads: true))
    }

    // MARK: The form of positions

    @Test(arguments: [
        TransactionPosition(epoch: 0, transaction: 0), TransactionPosition(epoch: -1, transaction: .max),
        TransactionPosition(epoch: .min, transaction: 734), TransactionPosition(epoch: .max, transaction: 1),
    ])
    func positionsAreReadBack(_ position: TransactionPosition) {
        #expect(TransactionPosition(position.text) == position)
    }

    @Test(arguments: [
        "", ".", "1", "1.", ".1", "1.2.3", "1.-2", "primary", "1.zzzzzzzzzzzzzz", "\u{661}.1",
        String(repeating: "1", count: 40) + ".1",
    ])
    func otherTextsAreNoPosition(_ text: String) { #expect(TransactionPosition(text) == nil) }
}

extension StandbySetState {
    fileprivate mutating func primary(wal: Int64, at time: Int, epoch: Int64 = 7, isCurrent: Bool = true) {
        let history = PrimaryHistory(epoch: epoch, cursorEpoch: -epoch)
        primaryAnswered(PrimaryProbe(history: history, isCurrent: isCurrent, wal: wal), sent: .at(time))
    }

    fileprivate mutating func answers(
        _ index: Int, xmin: Int64, replayed: Int64, epoch: Int64 = 7, isInRecovery: Bool = true, at time: Int
    ) {
        let check = StandbyCheck(isInRecovery: isInRecovery, epoch: epoch, xmin: xmin)
        var generator = SystemRandomNumberGenerator()
        standbyAnswered(
            StandbyProbe(check: check, replayed: replayed), on: index, now: .at(time), using: &generator)
    }

    fileprivate mutating func ends(_ outcome: Outcome, on index: Int, at time: Int) {
        var generator = SystemRandomNumberGenerator()
        readEnded(outcome, on: index, now: .at(time), using: &generator)
    }

    fileprivate mutating func probeFails(_ index: Int, at time: Int) {
        var generator = SystemRandomNumberGenerator()
        probeFailed(on: index, isLate: false, now: .at(time), using: &generator)
    }
}

extension StandbyCheck {
    fileprivate static func streaming(xmin: Int64, epoch: Int64 = 7) -> StandbyCheck {
        StandbyCheck(isInRecovery: true, epoch: epoch, xmin: xmin)
    }
}

import Testing

@testable import Postgres

/// Transcripts: each line is an event and what the pool decides. Requests are numbers.
@Suite struct CommitStateTests {
    private typealias State = CommitState<Int>

    private static let (first, second, third) = (lease(0), lease(1), lease(2))

    private static func lease(_ connection: Int, _ session: Int = 1) -> Lease {
        Lease(connection: connection, session: session)
    }

    /// Three sessions on one server.
    private static func up(_ sharing: CommitSharing = .whereTheyWait) -> State {
        var state = State(sharing)
        for index in 0..<3 { state.sessionBegan(lease(index), on: "A") }
        return state
    }

    // MARK: Alone

    @Test func aLoneWriteCommitsByItself() {
        var state = Self.up()
        for request in 1...3 {
            let start = state.writeStarts(on: Self.first)
            #expect(start.mode == .own)
            #expect(state.answers(request, start, on: Self.first) == .release)
        }
        #expect(state.counts.shared == 0 && state.counts.commits == 0 && state.inFlight == 0)
    }

    @Test func aWriteThatFindsAConnectionFreeCommitsByItself() {
        var state = Self.up()
        let one = state.writeStarts(on: Self.first)
        let two = state.writeStarts(on: Self.second)
        let three = state.writeStarts(hasWaited: true, on: Self.third)
        #expect(one.mode == .own && two.mode == .own && three.mode == .shared)
        // The first was flushed by its own commit.
        #expect(state.answers(1, one, on: Self.first) == .release)
        #expect(state.answers(3, three, on: Self.third) == .holdAndCommit)
        #expect(state.held == [3])
        #expect(state.writeStarts(on: Self.first).mode == .own)
        #expect(state.answers(2, two, on: Self.second) == .release)
        let commit = state.committed(on: Self.third)
        #expect(commit.answers == [3] && !commit.goesOn)
    }

    @Test func aSegmentThatMayNotShareCommitsByItself() {
        var state = Self.up(.always)
        let one = state.writeStarts(on: Self.first)
        let image = state.writeStarts(mayBeShared: false, hasWaited: true, on: Self.second)
        #expect(one.mode == .shared && image.mode == .own)
        #expect(state.answers(2, image, on: Self.second) == .release)
    }

    @Test func nothingIsSharedWhereSharingIsOff() {
        var state = Self.up(.off)
        #expect(state.writeStarts(hasWaited: true, on: Self.first).mode == .own)
        #expect(state.writeStarts(hasWaited: true, on: Self.second).mode == .own)
        state.writeWasNotSent()
        #expect(state.sessionEnded(Self.first, lost: 1) == [])
        #expect(state.inFlight == 0)
    }

    // MARK: Groups

    @Test func answersGatherWhileACommitIsUnderWay() {
        var state = Self.up(.always)
        let starts = [Self.first, Self.second, Self.third].map { state.writeStarts(on: $0) }
        #expect(state.answers(1, starts[0], on: Self.first) == .holdAndCommit)
        #expect(state.answers(2, starts[1], on: Self.second) == .hold)
        #expect(state.answers(3, starts[2], on: Self.third) == .hold)
        // The commit was sent before the answers 2 and 3 came, so it proves nothing about them.
        let one = state.committed(on: Self.first)
        #expect(one.answers == [1] && one.goesOn)
        let two = state.committed(on: Self.first)
        #expect(two.answers == [2, 3] && !two.goesOn)
        #expect(state.counts.shared == 3 && state.counts.commits == 2)
        #expect(state.held.isEmpty)
    }

    @Test func aRefusalIsHeldWhileOthersAreNotDurable() {
        var state = Self.up()
        let one = state.writeStarts(on: Self.first)
        let two = state.writeStarts(hasWaited: true, on: Self.second)
        // Write 2 may have committed what write 1 was refused for, although its answer has not come.
        #expect(state.answers(1, one, isRefused: true, on: Self.first) == .holdAndCommit)
        #expect(state.answers(2, two, isRefused: true, on: Self.second) == .hold)
        #expect(state.committed(on: Self.first).answers == [1])
        #expect(state.committed(on: Self.first).answers == [2])
        let three = state.writeStarts(on: Self.first)
        #expect(state.answers(3, three, isRefused: true, on: Self.first) == .release)
    }

    // MARK: Losses

    @Test func theOutcomeIsUnknownWhereTheCommitsSessionEnds() {
        var state = Self.up(.always)
        let starts = [Self.first, Self.second, Self.third].map { state.writeStarts(on: $0) }
        #expect(state.answers(1, starts[0], on: Self.first) == .holdAndCommit)
        #expect(state.answers(2, starts[1], on: Self.second) == .hold)
        #expect(state.sessionEnded(Self.first) == [1, 2])
        #expect(state.held.isEmpty)
        // Write 3 is still in flight, in a session that can prove it.
        #expect(state.answers(3, starts[2], on: Self.third) == .holdAndCommit)
        #expect(state.committed(on: Self.third).answers == [3])
        #expect(state.inFlight == 0)
        // What comes late of the session that has ended changes nothing.
        #expect(state.committed(on: Self.first).answers.isEmpty)
        #expect(state.sessionEnded(Self.first) == [])
    }

    @Test func aSessionsEndDoesNotConcernAnswersThatAnotherProves() {
        var state = Self.up(.always)
        let starts = [Self.first, Self.second].map { state.writeStarts(on: $0) }
        #expect(state.answers(1, starts[0], on: Self.first) == .holdAndCommit)
        #expect(state.answers(2, starts[1], on: Self.second) == .hold)
        #expect(state.sessionEnded(Self.second) == [])
        #expect(state.committed(on: Self.first).answers == [1])
        #expect(state.committed(on: Self.first).answers == [2])
    }

    @Test func aLaterSessionProvesNothingAboutAnEarlierWrite() {
        var state = Self.up(.always)
        let early = state.writeStarts(on: Self.first)
        // PostgreSQL may have crashed here, after the write, and have started again.
        #expect(state.sessionEnded(Self.second) == [])
        let again = Self.lease(1, 2)
        state.sessionBegan(again, on: "A")
        let late = state.writeStarts(on: again)
        #expect(state.answers(2, late, on: again) == .holdAndCommit)
        #expect(state.answers(1, early, on: Self.first) == .holdAndCommit)
        #expect(state.committed(on: again).answers == [2])
        #expect(state.sessionEnded(Self.first) == [1])
    }

    @Test func aSessionOfAnotherServerProvesNothing() {
        var state = State(.always)
        state.sessionBegan(Self.first, on: "A")
        state.sessionBegan(Self.second, on: "B")
        let starts = [Self.first, Self.second].map { state.writeStarts(on: $0) }
        #expect(state.answers(1, starts[0], on: Self.first) == .holdAndCommit)
        #expect(state.answers(2, starts[1], on: Self.second) == .holdAndCommit)
        #expect(state.committed(on: Self.first).answers == [1])
        #expect(state.committed(on: Self.second).answers == [2])
    }

    @Test func anAnswerOfASessionThatHasEndedIsLost() {
        var state = Self.up(.always)
        let start = state.writeStarts(on: Self.first)
        #expect(state.sessionEnded(Self.first) == [])
        #expect(state.answers(1, start, on: Self.first) == .lost)
    }

    @Test func lostWritesAreNotInFlight() {
        var state = Self.up()
        _ = state.writeStarts(on: Self.first)
        #expect(state.sessionEnded(Self.first, lost: 1) == [])
        #expect(state.writeStarts(on: Self.second).mode == .own)
        state.writeWasNotSent()
        #expect(state.inFlight == 0)
    }

    @Test func aWriteOnASessionWithoutAServerCommitsByItself() {
        var state = State(.always)
        state.sessionBegan(Self.first, on: nil)
        #expect(state.writeStarts(on: Self.first).mode == .own)
    }

    // MARK: Settings

    @Test func theModeIsPartOfTheSettings() {
        let viewer: SQL = "select set_config('app.viewer_id', \("1"), true)"
        #expect(CommitMode.ordinary.settings(viewer)?.text == viewer.text)
        #expect(CommitMode.ordinary.settings(nil) == nil)
        #expect(
            CommitMode.shared.settings(viewer)?.text
                == "select set_config('app.viewer_id', $1, true), set_config('synchronous_commit', 'off', true)")
        #expect(CommitMode.own.settings(viewer)?.parameters.count == 1)
        #expect(CommitMode.shared.settings(nil)?.text == "select set_config('synchronous_commit', 'off', true)")
    }
}

extension CommitState {
    fileprivate mutating func writeStarts(hasWaited: Bool = false, on lease: Lease) -> Start {
        writeStarts(mayBeShared: true, hasWaited: hasWaited, on: lease)
    }

    fileprivate mutating func answers(
        _ request: Request, _ start: Start, isRefused: Bool = false, on lease: Lease
    ) -> Answer {
        writeAnswered(request, start, isRefused: isRefused, on: lease)
    }
}

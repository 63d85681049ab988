import Testing

@testable import Postgres

/// Transcripts: what was sent, then the server's answers in their order. Requests are numbers, times are milliseconds.
@Suite struct PipelineStateTests {
    private typealias State = PipelineState<Int>

    private static func segment(
        _ request: Int, preparing: [PreparedStatement] = [], hasSettings: Bool = false, canBeSentAgain: Bool = true,
        deadline: Int = 1000, sentAt: Int = 0
    ) -> State.Segment {
        var segment = State.Segment(request, deadline: .at(deadline), sentAt: .at(sentAt))
        segment.preparing = preparing
        segment.hasSettings = hasSettings
        segment.canBeSentAgain = canBeSentAgain
        return segment
    }

    private static func statement(_ number: Int) -> PreparedStatement {
        PreparedStatement(fragments: [], number: number)
    }

    @Test func resultsBelongToSegmentsInOrder() {
        var state = State(now: .at(0))
        state.sent(Self.segment(1))
        state.sent(Self.segment(2, hasSettings: true))
        #expect(state.resultArrived() == 1)
        state.commandEnded()
        #expect(state.resultArrived() == 1)
        state.commandEnded()
        #expect(state.synced()?.completed == 1)
        // The settings' result is nobody's.
        #expect(state.resultArrived() == nil)
        state.commandEnded()
        #expect(state.resultArrived() == 2)
        state.commandEnded()
        #expect(state.synced()?.completed == 2)
        #expect(state.isEmpty)
    }

    @Test func resultsOfParseMessagesAreNobodys() {
        var state = State(now: .at(0))
        state.sent(Self.segment(1, preparing: [Self.statement(1), Self.statement(2)], hasSettings: true))
        for _ in 0..<3 {
            #expect(state.resultArrived() == nil)
            state.commandEnded()
        }
        #expect(state.resultArrived() == 1)
    }

    @Test func errorNamesItsStatementAndSparesOthers() {
        var state = State(now: .at(0))
        state.sent(Self.segment(1, hasSettings: true))
        state.sent(Self.segment(2))
        state.commandEnded()
        state.commandEnded()
        let failure = state.commandFailed(hasLostItsPlan: false)
        #expect(failure?.request == 1 && failure?.statement == 1 && failure?.unprepared == nil)
        state.commandEnded()
        #expect(state.commandSkipped() == nil)
        state.commandEnded()
        #expect(state.synced()?.completed == 1)
        #expect(state.resultArrived() == 2)
    }

    @Test func errorOfTheSettingsNamesNoStatement() {
        var state = State(now: .at(0))
        state.sent(Self.segment(1, hasSettings: true))
        let failure = state.commandFailed(hasLostItsPlan: false)
        #expect(failure?.request == 1 && failure?.statement == nil)
    }

    @Test func failedParseAndTheSkippedOnesAreNotPrepared() {
        let statements = [Self.statement(1), Self.statement(2), Self.statement(3)]
        var state = State(now: .at(0))
        state.sent(Self.segment(1, preparing: statements))
        #expect(state.resultArrived() == nil)
        state.commandEnded()
        #expect(state.commandFailed(hasLostItsPlan: false)?.unprepared === statements[1])
        state.commandEnded()
        #expect(state.commandSkipped() === statements[2])
        state.commandEnded()
        #expect(state.commandSkipped() == nil)
    }

    @Test func segmentWithoutItsPlanIsSentAgainOnce() {
        var state = State(now: .at(0))
        state.sent(Self.segment(1))
        state.sent(Self.segment(2))
        _ = state.commandFailed(hasLostItsPlan: true)
        state.commandEnded()
        #expect(state.synced()?.sentAgain == 1)
        // It goes behind what was sent meanwhile.
        state.sent(Self.segment(1, canBeSentAgain: false))
        #expect(state.resultArrived() == 2)
        state.commandEnded()
        #expect(state.synced()?.completed == 2)
        _ = state.commandFailed(hasLostItsPlan: true)
        state.commandEnded()
        #expect(state.synced()?.completed == 1)
    }

    @Test func aStatementIsBeingPreparedUntilItsSegmentEnds() {
        let statement = Self.statement(1)
        var state = State(now: .at(0))
        state.sent(Self.segment(1))
        state.sent(Self.segment(2, preparing: [statement]))
        _ = state.synced()
        #expect(state.isPreparing(statement) && !state.isPreparing(Self.statement(1)))
        _ = state.synced()
        #expect(!state.isPreparing(statement))
    }

    @Test func whatALostPlanLeavesInDoubt() {
        let statements = (0..<5).map(Self.statement)
        func segment(preparing: [PreparedStatement]) -> State.Segment {
            var segment = Self.segment(1, preparing: preparing, hasSettings: true)
            (segment.settings, segment.first) = (statements[0], statements[1])
            segment.rest = [statements[2], nil, statements[3], statements[4]]
            return segment
        }
        var state = State(now: .at(0))
        // The last statement's Parse and the settings, which the server answers; then it has lost the first statement.
        state.sent(segment(preparing: [statements[4]]))
        for _ in 0..<2 { state.commandEnded() }
        let failure = state.commandFailed(hasLostItsPlan: true)
        #expect(failure?.withoutPlan === statements[1])
        #expect(failure?.inDoubt.map(ObjectIdentifier.init) == statements[1...3].map(ObjectIdentifier.init))
        _ = state.synced()
        // A statement that is run without preparing it, and an error of another kind.
        state.sent(segment(preparing: []))
        for _ in 0..<3 { state.commandEnded() }
        let other = state.commandFailed(hasLostItsPlan: false)
        #expect(other?.withoutPlan == nil && other?.inDoubt.isEmpty == true)
        #expect(state.commandFailed(hasLostItsPlan: true)?.withoutPlan == nil)
    }

    @Test func whatNobodyWaitsForIsNotSentAgain() {
        var state = State(now: .at(0))
        state.sent(Self.segment(1))
        _ = state.commandFailed(hasLostItsPlan: true)
        #expect(state.synced { $0 == 1 }?.completed == 1)
    }

    @Test func overdueSegmentsStayInFlight() {
        var state = State(now: .at(0))
        state.sent(Self.segment(1, deadline: 100))
        state.sent(Self.segment(2, deadline: 50))
        state.sent(Self.segment(3, deadline: 200))
        var overdue: [Int] = []
        state.overdue(now: .at(101)) { overdue.append($0) }
        #expect(overdue == [1, 2] && state.count == 3)
        // Their answers are still told apart.
        state.commandEnded()
        #expect(state.synced()?.completed == 1)
        #expect(state.resultArrived() == 2)
    }

    @Test func sessionIsSilentAfterADeadlineAndTheGrace() {
        func isSilent(_ state: State, at now: Int) -> Bool {
            state.isSilent(now: .at(now), deadline: .milliseconds(100), grace: .milliseconds(10))
        }
        var state = State(now: .at(0))
        // It owes nothing.
        #expect(!isSilent(state, at: 10_000))
        state.sent(Self.segment(1, deadline: 50, sentAt: 1000))
        #expect(!isSilent(state, at: 1110) && isSilent(state, at: 1111))
        state.heard(now: .at(1050))
        #expect(!isSilent(state, at: 1160) && isSilent(state, at: 1161))
        // A request that was given more time.
        var patient = State(now: .at(0))
        patient.sent(Self.segment(1, deadline: 5000, sentAt: 1000))
        #expect(!isSilent(patient, at: 5010) && isSilent(patient, at: 5011))
    }

    @Test func lostSessionReturnsWhatWasInFlight() {
        var state = State(now: .at(0))
        for request in 1...3 { state.sent(Self.segment(request)) }
        _ = state.synced()
        #expect(state.removeAll() == [2, 3])
        #expect(state.isEmpty && state.resultArrived() == nil && state.synced() == nil)
    }
}

extension PipelineState<Int>.End {
    fileprivate var completed: Int? { if case .completed(let request) = self { request } else { nil } }
    fileprivate var sentAgain: Int? { if case .sendAgain(let request) = self { request } else { nil } }
}

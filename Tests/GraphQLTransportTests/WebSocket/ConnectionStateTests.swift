import GraphQL
import Testing

@testable import GraphQLTransport

/// Each row of the protocol, as a transcript.
struct ConnectionStateTests {
    private func acknowledged(maxOperations: Int = 20) -> ConnectionState {
        var state = ConnectionState(maxOperations: maxOperations)
        #expect(state.received(.connectionInit(nil)) == .authenticate(InputObject()))
        #expect(state.authenticated() == .sendConnectionAck)
        return state
    }

    private let request = GraphQLRequest(query: "{ hello }")

    // MARK: ConnectionInit, ConnectionAck

    @Test func acknowledgesAConnection() {
        var state = ConnectionState(maxOperations: 20)
        let payload = InputObject([(name: "accessToken", value: .string("a"))])
        #expect(state.received(.connectionInit(payload)) == .authenticate(payload))
        #expect(!state.isAcknowledged)
        #expect(state.authenticated() == .sendConnectionAck)
        #expect(state.isAcknowledged)
    }

    @Test func closesWhereNoInitComes() {
        var state = ConnectionState(maxOperations: 20)
        #expect(state.connectionInitTimeoutPassed() == .close(CloseReason(4408, "Connection initialisation timeout")))
        #expect(state.received(.connectionInit(nil)) == .none)
    }

    @Test func theTimeoutIsForTheMessageAlone() {
        var state = ConnectionState(maxOperations: 20)
        _ = state.received(.connectionInit(nil))
        #expect(state.connectionInitTimeoutPassed() == .none)
        #expect(state.authenticated() == .sendConnectionAck)
    }

    @Test func closesAtASecondInit() {
        let tooMany = ConnectionState.Action.close(CloseReason(4429, "Too many initialisation requests"))
        var state = acknowledged()
        #expect(state.received(.connectionInit(nil)) == tooMany)
        var waiting = ConnectionState(maxOperations: 20)
        _ = waiting.received(.connectionInit(nil))
        #expect(waiting.received(.connectionInit(nil)) == tooMany)
        #expect(waiting.authenticated() == .none)
    }

    @Test func closesWhereTheServerRefuses() {
        var state = ConnectionState(maxOperations: 20)
        _ = state.received(.connectionInit(nil))
        #expect(state.authenticationFailed(.forbidden) == .close(CloseReason(4403, "Forbidden")))
    }

    // MARK: Ping, Pong

    @Test func answersPingsAtAnyTime() {
        let payload = InputObject([(name: "n", value: .int(1))])
        var state = ConnectionState(maxOperations: 20)
        #expect(state.received(.ping(payload)) == .sendPong(payload))
        state = acknowledged()
        #expect(state.received(.ping(nil)) == .sendPong(nil))
        #expect(state.received(.pong(payload)) == .none)
    }

    @Test func terminatesAPeerThatIsSilentBetweenTwoPings() {
        var state = acknowledged()
        #expect(state.keepAliveDue() == .sendPing)
        state.heard()
        #expect(state.keepAliveDue() == .sendPing)
        #expect(state.keepAliveDue() == .terminate)
        #expect(state.keepAliveDue() == .none)
    }

    @Test func answersNothingAfterAPeerWasTerminated() {
        var state = acknowledged()
        _ = state.received(.subscribe(id: "1", GraphQLRequest(query: "{ a }")))
        _ = state.keepAliveDue()
        #expect(state.keepAliveDue() == .terminate)
        #expect(state.responded("1") == .none)
        #expect(state.completed("1") == .none)
        #expect(state.failed("1") == .none)
    }

    @Test func renewsASession() {
        let payload = InputObject([(name: "accessToken", value: .string("b"))])
        var state = acknowledged()
        #expect(state.received(.ping(payload)) == .renew(payload))
        #expect(state.renewed() == .sendPong(nil))
        #expect(state.sessionEnded() == .close(.sessionEnded))
        var early = ConnectionState(maxOperations: 20)
        #expect(early.received(.ping(payload)) == .sendPong(nil), "The pong does not repeat a secret.")
    }

    // MARK: Subscribe

    @Test func closesWhereASubscribeComesTooEarly() {
        let unauthorized = ConnectionState.Action.close(CloseReason(4401, "Unauthorized"))
        var state = ConnectionState(maxOperations: 20)
        #expect(state.received(.subscribe(id: "1", request)) == unauthorized)
        var waiting = ConnectionState(maxOperations: 20)
        _ = waiting.received(.connectionInit(nil))
        #expect(waiting.received(.subscribe(id: "1", request)) == unauthorized)
    }

    @Test func closesWhereAnIDIsTaken() {
        var state = acknowledged()
        #expect(state.received(.subscribe(id: "1", request)) == .start(id: "1", request))
        #expect(
            state.received(.subscribe(id: "1", request)) == .close(CloseReason(4409, "Subscriber for 1 already exists"))
        )
    }

    @Test func anIDIsFreeOnceItsOperationEnded() {
        var state = acknowledged()
        let start = ConnectionState.Action.start(id: "1", request)
        #expect(state.received(.subscribe(id: "1", request)) == start)
        #expect(state.completed("1") == .sendComplete(id: "1"))
        #expect(state.received(.subscribe(id: "1", request)) == start)
        #expect(state.failed("1") == .sendError(id: "1"))
        #expect(state.received(.subscribe(id: "1", request)) == start)
        #expect(state.received(.complete(id: "1")) == .stop(id: "1"))
        #expect(state.received(.subscribe(id: "1", request)) == start)
    }

    @Test func refusesMoreOperationsThanTheLimit() {
        var state = acknowledged(maxOperations: 1)
        #expect(state.received(.subscribe(id: "1", request)) == .start(id: "1", request))
        #expect(state.received(.subscribe(id: "2", request)) == .refuse(id: "2", .tooManyOperations))
        #expect(state.completed("1") == .sendComplete(id: "1"))
        #expect(state.received(.subscribe(id: "2", request)) == .start(id: "2", request))
    }

    // MARK: Next, Error, Complete

    @Test func sendsResponsesAndThenTheEnd() {
        var state = acknowledged()
        _ = state.received(.subscribe(id: "1", request))
        #expect(state.responded("1") == .sendNext(id: "1"))
        #expect(state.responded("1") == .sendNext(id: "1"))
        #expect(state.completed("1") == .sendComplete(id: "1"))
        #expect(state.completed("1") == .none)
        #expect(state.responded("1") == .none)
    }

    @Test func noCompleteFollowsAnError() {
        var state = acknowledged()
        _ = state.received(.subscribe(id: "1", request))
        #expect(state.failed("1") == .sendError(id: "1"))
        #expect(state.completed("1") == .none)
    }

    @Test func nothingFollowsAClientsComplete() {
        var state = acknowledged()
        _ = state.received(.subscribe(id: "1", request))
        #expect(state.received(.complete(id: "1")) == .stop(id: "1"))
        #expect(state.responded("1") == .none)
        #expect(state.failed("1") == .none)
        #expect(state.completed("1") == .none)
        // Both sides may say it at once.
        #expect(state.received(.complete(id: "1")) == .none)
        #expect(state.received(.complete(id: "unknown")) == .none)
    }

    // MARK: The end of the session

    @Test func whatIsUnderWaySaysItsLastWhenTheSessionEnds() {
        var state = acknowledged()
        for id in ["query", "early", "feed", "session"] { _ = state.received(.subscribe(id: id, request)) }
        #expect(state.streaming("feed", sendsLastEvents: false) == .none)
        #expect(state.streaming("session", sendsLastEvents: true) == .none)
        #expect(state.sessionEnded() == .conclude(stopped: ["feed"], concluding: ["session"]))
        #expect(state.sessionEnded() == .none)
        #expect(state.responded("feed") == .none)
        #expect(state.received(.subscribe(id: "late", request)) == .refuse(id: "late", .sessionEnded))
        let renewal = InputObject([(name: "accessToken", value: .string("b"))])
        #expect(state.received(.ping(renewal)) == .sendPong(nil))
        #expect(state.streaming("early", sendsLastEvents: true) == .conclude(stopped: [], concluding: ["early"]))
        #expect(state.responded("session") == .sendNext(id: "session"))
        #expect(state.completed("session") == .sendComplete(id: "session"))
        #expect(state.drainedAction == .none)
        #expect(state.completed("early") == .sendComplete(id: "early"))
        #expect(state.drainedAction == .none)
        // It may be what ended the session.
        #expect(state.responded("query") == .sendNext(id: "query"))
        #expect(state.completed("query") == .sendComplete(id: "query"))
        #expect(state.drainedAction == .close(.sessionEnded))
    }

    @Test func aStreamThatOwesNothingIsNotWaitedFor() {
        var state = acknowledged()
        _ = state.received(.subscribe(id: "feed", request))
        #expect(state.streaming("feed", sendsLastEvents: false) == .none)
        #expect(state.sessionEnded() == .close(.sessionEnded))

        var late = acknowledged()
        _ = late.received(.subscribe(id: "feed", request))
        #expect(late.sessionEnded() == .conclude(stopped: [], concluding: []))
        #expect(late.streaming("feed", sendsLastEvents: false) == .conclude(stopped: ["feed"], concluding: []))
        #expect(late.drainedAction == .close(.sessionEnded))
    }

    @Test func whoTakesTooLongToSayItIsNotWaitedFor() {
        var state = acknowledged()
        #expect(state.conclusionTimeoutPassed() == .none)
        _ = state.received(.subscribe(id: "session", request))
        _ = state.streaming("session", sendsLastEvents: true)
        _ = state.sessionEnded()
        #expect(state.conclusionTimeoutPassed() == .close(.sessionEnded))
        #expect(state.conclusionTimeoutPassed() == .none)
    }

    // MARK: Invalid message, closing

    @Test func nothingFollowsAClose() {
        var state = acknowledged()
        _ = state.received(.subscribe(id: "1", request))
        #expect(state.violated(.invalidMessage("No")) == .close(CloseReason(4400, "No")))
        #expect(state.isClosed)
        #expect(state.responded("1") == .none)
        #expect(state.received(.ping(nil)) == .none)
        #expect(state.received(.subscribe(id: "2", request)) == .none)
        #expect(state.violated(.forbidden) == .none)
        #expect(state.drain() == .none)
    }

    @Test func returnsTheCodeOfAClientThatCloses() {
        var state = acknowledged()
        #expect(state.closeReceived(1000) == .close(CloseReason(1000, "")))
    }

    @Test func drainsOnceWhatWasAskedForOnceIsAnswered() {
        var idle = acknowledged()
        #expect(idle.drain() == .close(CloseReason(1001, "Going away")))

        var busy = acknowledged()
        _ = busy.received(.subscribe(id: "query", request))
        _ = busy.received(.subscribe(id: "subscription", request))
        #expect(busy.streaming("subscription", sendsLastEvents: true) == .none)
        #expect(busy.drain() == .none)
        #expect(busy.received(.subscribe(id: "late", request)) == .refuse(id: "late", .serverStops))
        #expect(busy.completed("query") == .sendComplete(id: "query"))
        #expect(busy.drainedAction == .close(.goingAway))
    }
}

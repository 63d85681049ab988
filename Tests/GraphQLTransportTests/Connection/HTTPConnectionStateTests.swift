import NIOCore
import NIOHTTP1
import Testing

@testable import GraphQLTransport

/// One connection's life, as a transcript.
struct HTTPConnectionStateTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    private let get = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/graphql")
    private let post = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/graphql")
    private let bytes = ByteBuffer(string: "{}")

    private func connection(isOverflow: Bool = false, idleTimeout: TimeAmount? = nil) -> HTTPConnectionState {
        var limits = HTTPLimits()
        limits.idleTimeout = idleTimeout ?? limits.idleTimeout
        return HTTPConnectionState(limits: limits, streamKeepAlive: .seconds(12), isOverflow: isOverflow, at: start)
    }

    /// A request up to its end.
    private func receive(_ head: HTTPRequestHead, _ state: inout HTTPConnectionState, keepsAlive: Bool = true) {
        #expect(state.received(.head(head)) == .begin(head))
        state.requestBegins(keepsAlive: keepsAlive)
        state.awaitsBody(for: .endpoint, at: start)
        #expect(state.received(.end(nil)) == .execute)
    }

    // MARK: Requests

    @Test func answersOneRequestAfterAnother() {
        var state = connection()
        #expect(state.received(.head(post)) == .begin(post))
        state.requestBegins(keepsAlive: true)
        state.awaitsBody(for: .endpoint, at: start)
        #expect(state.received(.body(bytes)) == .receive(bytes))
        #expect(state.received(.end(nil)) == .execute)
        #expect(state.answers(at: start) == .nextRequest)
        #expect(state.received(.head(get)) == .begin(get))
        state.requestBegins(keepsAlive: false)
        state.awaitsBody(for: .endpoint, at: start)
        #expect(state.received(.end(nil)) == .execute)
        #expect(state.answers(at: start) == .linger)
    }

    @Test func pipelinedRequestsWaitForTheAnswer() {
        var state = connection()
        receive(post, &state)
        let request = state.executes(until: start + .seconds(3))
        #expect(state.received(.head(get)) == .none)
        #expect(state.received(.end(nil)) == .none)
        #expect(state.next() == .none)
        #expect(state.isAwaited(request))
        #expect(state.answers(at: start) == .nextRequest)
        #expect(!state.isAwaited(request))
        #expect(state.next() == .begin(get))
        state.requestBegins(keepsAlive: true)
        state.awaitsBody(for: .endpoint, at: start)
        #expect(state.next() == .execute)
        #expect(state.next() == .none)
        #expect(!state.hasWaitingParts)
    }

    @Test func nothingBeginsWhileAnswersAreUnread() {
        var state = connection()
        state.writabilityChanged(false, at: start)
        #expect(state.received(.head(get)) == .none)
        state.writabilityChanged(true, at: start)
        #expect(state.next() == .begin(get))
    }

    @Test func readsNoMoreThanAFewPartsAhead() {
        var state = connection()
        receive(post, &state)
        _ = state.executes(until: .distantFuture)
        for _ in 0..<16 { #expect(state.received(.head(get)) == .none) }
        #expect(state.readRequested() == true)
        #expect(state.resumesReading() == false)
        #expect(state.received(.head(get)) == .none)
        #expect(state.readRequested() == false)
        #expect(state.resumesReading() == false)
        #expect(state.answers(at: start) == .nextRequest)
        #expect(state.next() == .begin(get))
        #expect(state.resumesReading() == true)
        #expect(state.resumesReading() == false)
    }

    @Test func aLateAnswerIsNotAwaited() {
        var state = connection()
        receive(post, &state)
        let late = state.executes(until: start + .seconds(3))
        #expect(state.tick(at: start + .seconds(3)) == .timeOut)
        #expect(state.answers(at: start) == .nextRequest)
        receive(post, &state)
        let next = state.executes(until: start + .seconds(3))
        #expect(!state.isAwaited(late))
        #expect(state.isAwaited(next))
    }

    @Test func throwsAwayWhatComesAfterTheLastAnswer() {
        var state = connection()
        receive(post, &state, keepsAlive: false)
        #expect(state.answers(at: start) == .linger)
        #expect(state.received(.head(get)) == .none)
        #expect(state.received(.end(nil)) == .none)
        #expect(!state.hasWaitingParts)
        #expect(state.tick(at: start + .milliseconds(1_999)) == .none)
        #expect(state.tick(at: start + .seconds(2)) == .close)
    }

    @Test func aConnectionAtTheDoorHasOneRequest() {
        var state = connection(isOverflow: true)
        #expect(state.tick(at: start + .milliseconds(1_999)) == .none)
        receive(get, &state)
        #expect(state.answers(at: start) == .linger)
        var silent = connection(isOverflow: true)
        #expect(silent.tick(at: start + .seconds(2)) == .close)
    }

    // MARK: Streams and routes

    @Test func aStreamIsKeptAliveUntilItsEnd() {
        var state = connection()
        receive(post, &state)
        _ = state.executes(until: .distantFuture)
        #expect(state.tick(at: start + .hours(1)) == .none)
        state.streams(isLast: false, at: start)
        #expect(state.tick(at: start + .seconds(11)) == .none)
        #expect(state.tick(at: start + .seconds(12)) == .keepStreamAlive)
        #expect(state.tick(at: start + .seconds(23)) == .none)
        #expect(state.tick(at: start + .seconds(24)) == .keepStreamAlive)
        #expect(state.answers(at: start) == .nextRequest)
    }

    @Test func aStreamToAnOldClientIsTheLast() {
        var state = connection()
        receive(post, &state)
        _ = state.executes(until: .distantFuture)
        state.streams(isLast: true, at: start)
        #expect(state.closesAfterAnswer)
        #expect(state.answers(at: start) == .linger)
    }

    @Test func aRouteReadsAndAnswersAsItLikes() {
        for answersFirst in [false, true] {
            var state = connection()
            #expect(state.received(.head(post)) == .begin(post))
            state.requestBegins(keepsAlive: true)
            state.routes(at: start)
            #expect(state.isRouting)
            #expect(state.received(.body(bytes)) == .routeBody(bytes))
            state.routedAnswerBegan(isLast: false)
            if answersFirst { state.routedAnswerEnded() }
            #expect(!state.isRoutedRequestFinished)
            #expect(state.received(.end(nil)) == .routeEnd)
            if !answersFirst { state.routedAnswerEnded() }
            #expect(state.isRoutedRequestFinished)
            #expect(state.answers(at: start) == .nextRequest)
            #expect(!state.isRouting)
        }
    }

    @Test func theRestOfALastRequestIsNotWaitedFor() {
        var state = connection()
        #expect(state.received(.head(post)) == .begin(post))
        state.requestBegins(keepsAlive: true)
        state.routes(at: start)
        state.routedAnswerBegan(isLast: true)
        state.routedAnswerEnded()
        #expect(state.isRoutedRequestFinished)
        #expect(state.answers(at: start) == .linger)
    }

    @Test func anUpgradeBeginsWithTheEndOfItsRequest() {
        var state = connection()
        #expect(state.received(.head(get)) == .begin(get))
        state.requestBegins(keepsAlive: false)
        state.awaitsBody(for: .upgrade(get), at: start)
        #expect(state.received(.body(bytes)) == .none)
        #expect(state.received(.end(nil)) == .upgrade(get))
        state.upgraded()
        #expect(state.received(.head(get)) == .none)
        #expect(state.next() == .none)
        #expect(state.tick(at: start + .hours(1)) == .none)
    }

    // MARK: Deadlines

    @Test func closesAnIdleConnection() {
        var state = connection()
        #expect(state.tick(at: start + .seconds(74)) == .none)
        #expect(state.tick(at: start + .seconds(75)) == .close)
        receive(get, &state)
        #expect(state.answers(at: start + .seconds(30)) == .nextRequest)
        #expect(state.tick(at: start + .seconds(104)) == .none)
        #expect(state.tick(at: start + .seconds(105)) == .close)
    }

    @Test func aConnectionWithoutARequestIsNotKeptLonger() {
        var state = connection(idleTimeout: .seconds(620))
        #expect(state.tick(at: start + .seconds(75)) == .close)
        state = connection(idleTimeout: .seconds(620))
        receive(get, &state)
        #expect(state.answers(at: start) == .nextRequest)
        #expect(state.tick(at: start + .seconds(619)) == .none)
        #expect(state.tick(at: start + .seconds(620)) == .close)
    }

    @Test func refusesAHeadThatComesTooSlowly() {
        var state = connection()
        state.bytesArrived(at: start)
        state.bytesArrived(at: start + .seconds(9))
        #expect(state.tick(at: start + .seconds(9)) == .none)
        #expect(state.tick(at: start + .seconds(10)) == .refuse(.headTimeout))
        #expect(state.answers(isLast: true, at: start + .seconds(10)) == .linger)
    }

    @Test func theNextHeadHasItsOwnTime() {
        var state = connection()
        state.bytesArrived(at: start)
        receive(get, &state)
        #expect(state.answers(at: start) == .nextRequest)
        #expect(state.tick(at: start + .seconds(10)) == .none)
        state.bytesArrived(at: start + .seconds(20))
        #expect(state.tick(at: start + .seconds(29)) == .none)
        #expect(state.tick(at: start + .seconds(30)) == .refuse(.headTimeout))
    }

    @Test func refusesABodyThatComesTooSlowly() {
        for reader in [HTTPConnectionState.BodyReader.endpoint, .upgrade(get)] {
            var state = connection()
            #expect(state.received(.head(get)) == .begin(get))
            state.requestBegins(keepsAlive: true)
            state.awaitsBody(for: reader, at: start)
            #expect(state.tick(at: start + .seconds(29)) == .none)
            #expect(state.tick(at: start + .seconds(30)) == .refuse(.bodyTimeout))
        }
    }

    @Test func aRouteHasTimeUntilItsAnswerBegins() {
        var state = connection()
        #expect(state.received(.head(post)) == .begin(post))
        state.requestBegins(keepsAlive: true)
        state.routes(at: start)
        #expect(state.tick(at: start + .seconds(30)) == .refuse(.routeTimeout))
        state.routedAnswerBegan(isLast: false)
        #expect(state.tick(at: start + .seconds(31)) == .none)
        state.routedAnswerEnded()
        // The rest of a request that was answered.
        #expect(state.tick(at: start + .seconds(31)) == .close)
    }

    @Test func dropsAClientThatDoesNotRead() {
        var state = connection()
        receive(post, &state)
        #expect(state.answers(at: start) == .nextRequest)
        state.writabilityChanged(false, at: start)
        state.wrote(at: start + .seconds(5))
        #expect(state.tick(at: start + .seconds(9)) == .none)
        // Each bit that it reads gives it new time.
        state.writabilityChanged(true, at: start + .seconds(9))
        state.writabilityChanged(false, at: start + .seconds(9))
        #expect(state.tick(at: start + .seconds(18)) == .none)
        #expect(state.tick(at: start + .seconds(19)) == .close)
    }

    // MARK: What breaks off

    @Test func refusesWhatCannotBeToldApart() {
        var idle = connection()
        #expect(idle.violated(.malformed) == .refuse(.malformed))
        #expect(idle.answers(isLast: true, at: start) == .linger)
        #expect(idle.violated(.malformed) == .none)

        var busy = connection()
        receive(post, &busy)
        _ = busy.executes(until: .distantFuture)
        #expect(busy.violated(.headTooLarge) == .none)
        #expect(busy.answers(at: start) == .linger, "What was read before is answered.")
    }

    @Test func answersAClientThatHasSentItsLast() {
        var idle = connection()
        #expect(idle.inputClosed() == .close)

        var executing = connection()
        receive(post, &executing)
        _ = executing.executes(until: .distantFuture)
        #expect(executing.inputClosed() == .none)
        #expect(executing.answers(at: start) == .linger)

        var streaming = connection()
        receive(post, &streaming)
        streaming.streams(isLast: false, at: start)
        #expect(streaming.inputClosed() == .close, "A listener keeps its side open.")

        var routing = connection()
        _ = routing.received(.head(post))
        routing.requestBegins(keepsAlive: true)
        routing.routes(at: start)
        #expect(routing.inputClosed() == .closeRouterInput)
        routing.routedAnswerBegan(isLast: false)
        routing.routedAnswerEnded()
        #expect(routing.isRoutedRequestFinished)
    }

    @Test func forgetsWhatWaitsWhenItIsClosed() {
        var state = connection()
        receive(post, &state)
        let request = state.executes(until: .distantFuture)
        #expect(state.received(.head(get)) == .none)
        state.closed()
        #expect(!state.hasWaitingParts)
        #expect(!state.isAwaited(request))
    }

    // MARK: The server stops

    @Test func drainsWhatIsUnderWay() {
        var idle = connection()
        #expect(idle.drain(at: start) == .none)
        #expect(idle.tick(at: start + .milliseconds(499)) == .none)
        var late = idle
        #expect(idle.tick(at: start + .milliseconds(500)) == .close)
        receive(get, &late)
        #expect(late.answers(at: start) == .linger, "It was on its way.")

        var executing = connection()
        receive(post, &executing)
        _ = executing.executes(until: .distantFuture)
        #expect(executing.drain(at: start) == .none)
        #expect(executing.isDraining)
        #expect(executing.tick(at: start + .seconds(24)) == .none)
        #expect(executing.tick(at: start + .seconds(25)) == .close)
        #expect(executing.answers(at: start) == .linger)

        var streaming = connection()
        receive(post, &streaming)
        streaming.streams(isLast: false, at: start)
        #expect(streaming.drain(at: start) == .drainStream)
    }
}

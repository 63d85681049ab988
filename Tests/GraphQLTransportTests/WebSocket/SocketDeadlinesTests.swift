import NIOCore
import Testing

@testable import GraphQLTransport

struct SocketDeadlinesTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    private func deadlines() -> SocketDeadlines { SocketDeadlines(HTTPLimits(), StreamLimits(), at: start) }

    @Test func theInitComesInThreeSeconds() {
        var late = deadlines()
        #expect(late.next(at: start + .milliseconds(2_999)) == nil)
        #expect(late.next(at: start + .seconds(3)) == .connectionInitMissing)
        #expect(late.next(at: start + .seconds(3)) == nil)
        var early = deadlines()
        early.connectionInitReceived()
        #expect(early.next(at: start + .seconds(3)) == nil)
    }

    @Test func authenticationHasATime() {
        var deadlines = deadlines()
        deadlines.connectionInitReceived()
        deadlines.authenticationBegan(at: start + .seconds(1))
        #expect(deadlines.next(at: start + .seconds(3)) == nil)
        #expect(deadlines.next(at: start + .seconds(4)) == .authenticationTooSlow)
        deadlines.authenticationBegan(at: start)
        deadlines.authenticationEnded()
        #expect(deadlines.next(at: start + .seconds(4)) == nil)
    }

    @Test func keepsAliveAgainAndAgain() {
        var deadlines = deadlines()
        deadlines.connectionInitReceived()
        #expect(deadlines.next(at: start + .seconds(11)) == nil)
        #expect(deadlines.next(at: start + .seconds(12)) == .keepAliveDue)
        #expect(deadlines.next(at: start + .seconds(23)) == nil)
        #expect(deadlines.next(at: start + .seconds(24)) == .keepAliveDue)
    }

    @Test func aClientThatDoesNotReadIsGone() {
        var deadlines = deadlines()
        deadlines.connectionInitReceived()
        deadlines.writabilityChanged(false, at: start)
        #expect(deadlines.next(at: start + .seconds(9)) == nil)
        deadlines.writabilityChanged(true, at: start + .seconds(9))
        deadlines.writabilityChanged(false, at: start + .seconds(9))
        #expect(deadlines.next(at: start + .seconds(11)) == nil)
        #expect(deadlines.next(at: start + .seconds(19)) == .isGone)
    }

    @Test func aClientThatDoesNotSayGoodbyeIsGone() {
        var deadlines = deadlines()
        deadlines.closing(at: start)
        #expect(deadlines.next(at: start + .milliseconds(1_999)) == nil)
        #expect(deadlines.next(at: start + .seconds(2)) == .isGone)
    }

    @Test func whatASessionLeavesUndoneHasOneTime() {
        var deadlines = deadlines()
        deadlines.connectionInitReceived()
        #expect(deadlines.sessionEnded(at: start) == true)
        #expect(deadlines.sessionEnded(at: start + .milliseconds(500)) == false)
        #expect(deadlines.conclusion == start + .seconds(1))
        #expect(deadlines.next(at: start + .seconds(1)) == .conclusionTooSlow)
    }
}

import Cryptography
import Testing

@testable import Auth

/// Transcripts: `present` is a client that comes with the n-th token of its session.
@Suite struct RefreshRotationTests {
    private struct Session {
        let rotation = RefreshRotation()
        var key = RefreshTokenKey(ServerSecrets.generate())
        let first = RefreshToken.random()
        var row: RefreshTokenRow

        init() { row = RefreshTokenRow(current: first.hash, createdAt: 0) }

        func token(_ number: Int) -> RefreshToken {
            (0..<number).reduce(first) { token, _ in token.child(key) }
        }

        enum Outcome: Equatable { case next, same, revokedFamily, expired, revoked }

        mutating func present(_ number: Int, at now: Int64) -> Outcome {
            present(token(number), at: now)
        }

        mutating func present(_ token: RefreshToken, at now: Int64) -> Outcome {
            switch rotation.decide(presented: token.hash, child: token.child(key).hash, row: row, now: now) {
            case .rotate(let next):
                row = next
                return .next
            case .repeatChild: return .same
            case .revokeFamily:
                row.revokedAt = now
                return .revokedFamily
            case .expired: return .expired
            case .revoked: return .revoked
            }
        }
    }

    private let day: Int64 = 86_400

    @Test func oneAfterAnother() {
        var session = Session()
        for number in 0..<100 { #expect(session.present(number, at: Int64(number) * 900) == .next) }
        #expect(session.row.current == session.token(100).hash)
        #expect(session.row.parent == session.token(99).hash)
    }

    @Test func theRowAfterARotation() {
        var session = Session()
        #expect(session.present(0, at: 900) == .next)
        #expect(
            session.row
                == RefreshTokenRow(
                    parent: session.first.hash, current: session.token(1).hash, createdAt: 0, rotatedAt: 900))
    }

    @Test func aLostAnswerMayBeAskedForAgainUntilItsChildIsUsed() {
        var session = Session()
        #expect(session.present(0, at: 900) == .next)
        #expect(session.present(0, at: 901) == .same)
        #expect(session.present(0, at: 20 * day) == .same)
        #expect(session.present(1, at: 20 * day) == .next)
    }

    @Test func anotherTabMayComeThirtySecondsAfterTheChildWasUsed() {
        var session = Session()
        #expect(session.present(0, at: 900) == .next)
        #expect(session.present(1, at: 1_800) == .next)
        #expect(session.present(0, at: 1_801) == .same)
        #expect(session.present(0, at: 1_830) == .same)
        #expect(session.present(1, at: 1_830) == .same)
        #expect(session.present(2, at: 2_700) == .next)
    }

    @Test func laterThanThatIsReuse() {
        var session = Session()
        #expect(session.present(0, at: 900) == .next)
        #expect(session.present(1, at: 1_800) == .next)
        #expect(session.present(0, at: 1_831) == .revokedFamily)
        #expect(session.present(2, at: 1_832) == .revoked)
        #expect(session.present(1, at: 1_832) == .revoked)
    }

    @Test func anOlderTokenIsReuseEvenWithinThirtySeconds() {
        var session = Session()
        #expect(session.present(0, at: 1) == .next)
        #expect(session.present(1, at: 2) == .next)
        #expect(session.present(2, at: 3) == .next)
        #expect(session.present(0, at: 4) == .revokedFamily)
    }

    @Test func aTokenThatWasNeverIssuedIsReuseOfTheFamily() {
        var session = Session()
        #expect(session.present(RefreshToken.random(), at: 1) == .revokedFamily)
        session = Session()
        #expect(session.present(1, at: 1) == .revokedFamily, "The child of a token that nobody has used.")
    }

    @Test func idleForThirtyDays() {
        var session = Session()
        #expect(session.present(0, at: 30 * day - 1) == .next)
        #expect(session.present(1, at: 60 * day - 1) == .expired)
        #expect(session.present(0, at: 60 * day - 1) == .expired)
    }

    @Test func askingAgainDoesNotKeepASessionAlive() {
        var session = Session()
        #expect(session.present(0, at: day) == .next)
        #expect(session.present(0, at: 30 * day) == .same)
        #expect(session.present(0, at: 31 * day) == .expired)
    }

    @Test func neverOlderThanOneHundredAndEightyDays() {
        var session = Session()
        var number = 0
        for time in stride(from: 20 * day, to: 180 * day, by: Int(20 * day)) {
            #expect(session.present(number, at: time) == .next)
            number += 1
        }
        #expect(session.present(number, at: 180 * day - 1) == .next)
        #expect(session.present(number + 1, at: 180 * day) == .expired)
    }

    @Test func aNewServerKeyDoesNotEndSessions() {
        var session = Session()
        #expect(session.present(0, at: 900) == .next)
        let issued = session.token(1)
        session.key = RefreshTokenKey(ServerSecrets.generate())
        #expect(session.present(session.first, at: 901) == .next, "The lost answer cannot be derived again.")
        #expect(session.present(session.first.child(session.key), at: 902) == .next)
        #expect(session.present(issued, at: 903) == .revokedFamily)
    }
}

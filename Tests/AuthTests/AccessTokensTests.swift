import Cryptography
import Testing

@testable import Auth

@Suite struct AccessTokensTests {
    private let now: Int64 = 1_800_000_000
    private let tokens = AccessTokens(
        keys: .generate(now: 1_799_000_000), issuer: "https://api.example.org", audience: "tertulia")

    private func token(now: Int64? = nil) -> String {
        tokens.sign(
            subject: "user_01", session: "session_01", isAnonymous: false, role: "MODERATOR", now: now ?? self.now
        ).token
    }

    @Test func whatIsSignedIsVerified() throws {
        let (token, claims) = tokens.sign(
            subject: "user_01", session: "session_01", isAnonymous: true, now: now)
        #expect(claims.subject == "user_01")
        #expect(claims.session == "session_01")
        #expect(claims.isAnonymous)
        #expect(claims.role == nil)
        #expect(claims.issuedAt == now)
        #expect(claims.expiresAt == now + 900)
        #expect(try tokens.verify(token, now: now) == claims)
        #expect(try tokens.verify(self.token(), now: now).role == "MODERATOR")
        #expect(token.utf8.count < 600)
    }

    @Test func theClaimsAreThoseOfRFC9068() throws {
        let parts = token().split(separator: ".")
        let header = try #require(Base64.url.decode(parts[0].utf8))
        let kid = tokens.keys.keys[0].kid
        #expect(String(decoding: header, as: UTF8.self) == #"{"alg":"EdDSA","typ":"at+jwt","kid":"\#(kid)"}"#)
        let payload = try #require(Base64.url.decode(parts[1].utf8))
        let claims = try #require(JSONReader.value(of: payload)?.object)
        #expect(claims["iss"] == .string("https://api.example.org"))
        #expect(claims["aud"] == .string("tertulia"))
        #expect(claims["client_id"] == .string("tertulia"))
        #expect(claims["sub"] == .string("user_01"))
        #expect(claims["iat"] == .integer(now))
        #expect(claims["exp"] == .integer(now + 900))
    }

    @Test func everyTokenHasAnIdOfItsOwn() {
        let ids = (0..<1_000).map { _ in
            tokens.sign(subject: "a", session: "b", isAnonymous: false, now: now).claims.id
        }
        #expect(Set(ids).count == 1_000)
    }

    @Test func expiryWithThirtySecondsOfSkew() throws {
        let token = token()
        #expect(throws: Never.self) { try tokens.verify(token, now: now + 929) }
        #expect(throws: AccessTokenError.expired) { try tokens.verify(token, now: now + 930) }
        #expect(throws: Never.self) { try tokens.verify(token, now: now - 30) }
        #expect(throws: AccessTokenError.notYetValid) { try tokens.verify(token, now: now - 31) }
    }

    @Test func rotationKeepsTokensThatLive() throws {
        let old = token()
        tokens.keys = tokens.keys.rotated(now: now, tokenLifetime: tokens.lifetime)
        #expect(throws: Never.self) { try tokens.verify(old, now: now) }
        let later = now + SigningKeys.publishAhead
        let last = token(now: later - 1)
        let next = token(now: later)
        #expect(last.split(separator: ".")[0] == old.split(separator: ".")[0])
        #expect(next.split(separator: ".")[0] != old.split(separator: ".")[0])
        #expect(throws: Never.self) { try tokens.verify(last, now: later + 898) }
        #expect(throws: Never.self) { try tokens.verify(next, now: later + 899) }
        #expect(throws: AccessTokenError.expired) { try tokens.verify(last, now: later + 1_799) }
        // Its key has retired.
        #expect(throws: AccessTokenError.expired) { try tokens.verify(last, now: later + 1_800) }
    }

    @Test func aRetiredKeySignsNothing() throws {
        let former = AccessTokens(keys: tokens.keys, issuer: tokens.issuer, audience: tokens.audience)
        tokens.keys = tokens.keys.rotated(now: now, tokenLifetime: tokens.lifetime)
        let retired = now + SigningKeys.publishAhead + 2 * tokens.lifetime
        let forged = former.sign(subject: "user_1", session: "session_1", isAnonymous: false, now: retired).token
        #expect(throws: Never.self) { try former.verify(forged, now: retired) }
        #expect(throws: AccessTokenError.unknownKey) { try tokens.verify(forged, now: retired) }
        #expect(throws: AccessTokenError.expired) { try tokens.verify(forged, now: retired + 100_000) }
    }

    /// RFC 8037, appendix A.4 and A.5.
    @Test func signatureOfTheRFC() throws {
        let seed = try #require(Base64.url.decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"))
        let key = try #require(Ed25519PrivateKey(rawRepresentation: seed))
        let jws = JSONWebSignature.sign(
            header: Array(#"{"alg":"EdDSA"}"#.utf8), payload: Array("Example of Ed25519 signing".utf8), with: key)
        #expect(
            jws == "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc."
                + "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg")
        #expect(try #require(JSONWebSignature(compact: jws)).isValid(for: key.publicKey))
    }
}

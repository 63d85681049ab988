import Cryptography
import Testing

@testable import Auth

/// RFC 8725: what a forged or mangled token tries. Where a token is signed here, it is with the server's own key, so
/// that the check under test is the only one that can refuse it.
@Suite struct AccessTokenAttackTests {
    private let now: Int64 = 1_800_000_000
    private let tokens = AccessTokens(
        keys: .generate(now: 1_799_000_000), issuer: "https://api.example.org", audience: "tertulia")
    private var key: SigningKey { tokens.keys.keys[0] }

    private func signed(header: String? = nil, payload: String? = nil) -> String {
        JSONWebSignature.sign(
            header: Array((header ?? self.header()).utf8), payload: Array((payload ?? self.payload()).utf8),
            with: key.privateKey)
    }

    private func header(alg: String = "EdDSA", typ: String = "at+jwt", kid: String? = nil, more: String = "") -> String
    {
        #"{"alg":"\#(alg)","typ":"\#(typ)","kid":"\#(kid ?? key.kid)"\#(more)}"#
    }

    private func payload(
        iss: String = #""https://api.example.org""#, aud: String = #""tertulia""#, sub: String = #""user_01""#,
        sid: String = #""session_01""#, anon: String = "false", iat: String = "1800000000", exp: String = "1800000900",
        more: String = ""
    ) -> String {
        #"{"iss":\#(iss),"aud":\#(aud),"sub":\#(sub),"sid":\#(sid),"anon":\#(anon),"jti":"j","iat":\#(iat),"exp":\#(exp)\#(more)}"#
    }

    private func refusal(_ token: String) -> AccessTokenError? {
        do throws(AccessTokenError) {
            _ = try tokens.verify(token, now: now)
            return nil
        } catch {
            return error
        }
    }

    @Test func theTokensOfThisSuiteAreOtherwiseRight() {
        #expect(refusal(signed()) == nil)
    }

    @Test(arguments: ["none", "None", "nOnE", "HS256", "ES256", "RS256", "eddsa", "Ed448", ""])
    func anotherAlgorithm(alg: String) {
        #expect(refusal(signed(header: header(alg: alg))) == .unsupportedHeader)
    }

    @Test func algNoneWithoutASignature() {
        let header = Base64.url.encode(header(alg: "none").utf8)
        let payload = Base64.url.encode(payload().utf8)
        #expect(refusal("\(header).\(payload).") == .unsupportedHeader)
        let honest = Base64.url.encode(self.header().utf8)
        #expect(refusal("\(honest).\(payload).") == .invalidSignature)
    }

    @Test func hs256WithThePublicKeyAsItsSecret() {
        let input = Base64.url.encode(header(alg: "HS256").utf8) + "." + Base64.url.encode(payload().utf8)
        let code = HMACSHA256(key: key.privateKey.publicKey.rawRepresentation).code(for: Array(input.utf8))
        #expect(refusal(input + "." + Base64.url.encode(code.bytes)) == .unsupportedHeader)
        let pinned = Base64.url.encode(header().utf8) + "." + Base64.url.encode(payload().utf8)
        let pinnedCode = HMACSHA256(key: key.privateKey.publicKey.rawRepresentation).code(for: Array(pinned.utf8))
        #expect(refusal(pinned + "." + Base64.url.encode(pinnedCode.bytes)) == .invalidSignature)
    }

    @Test(arguments: ["../../../../dev/null", "/etc/passwd", "' or 1=1 --", "", "http://evil.example/key"])
    func aKidThatIsNoKey(kid: String) {
        #expect(refusal(signed(header: header(kid: kid))) == .unknownKey)
    }

    @Test(arguments: [
        #","jku":"https://evil.example/jwks.json""#, #","x5u":"https://evil.example/cert.pem""#, #","x5c":["AA"]"#,
        #","jwk":{"kty":"OKP","crv":"Ed25519","x":"AA"}"#, #","crit":["b64"],"b64":false"#, #","crit":[]"#,
        #","zip":"DEF""#, #","cty":"JWT""#, #","alg":"none""#,
    ])
    func aHeaderThatAsksForMore(more: String) {
        #expect(refusal(signed(header: header(more: more))) == .unsupportedHeader)
    }

    @Test(arguments: ["JWT", "jwt", "at+JWT", "rt+jwt", "id+jwt", ""]) func anotherType(typ: String) {
        #expect(refusal(signed(header: header(typ: typ))) == .unsupportedHeader)
    }

    @Test func aHeaderWithoutOneOfItsMembers() {
        #expect(refusal(signed(header: #"{"alg":"EdDSA","typ":"at+jwt"}"#)) == .unsupportedHeader)
        #expect(refusal(signed(header: #"{"alg":"EdDSA","kid":"\#(key.kid)"}"#)) == .unsupportedHeader)
        #expect(refusal(signed(header: "[]")) == .unsupportedHeader)
        #expect(refusal(signed(header: "")) == .unsupportedHeader)
    }

    @Test func claimsForOthersOrOfAnotherType() {
        for payload in [
            payload(iss: #""https://evil.example""#), payload(iss: "null"), payload(aud: #""another""#),
            payload(aud: #"["tertulia","another"]"#), payload(sub: "1"), payload(sub: #""""#), payload(sid: "null"),
            payload(sid: #""""#), payload(anon: #""false""#), payload(more: #","role":1"#),
            payload(more: #","nbf":"0""#),
            payload(more: #","sub":"user_02""#), "[]", "", "null",
        ] {
            #expect(refusal(signed(payload: payload)) == .invalidClaims, "\(payload)")
        }
    }

    @Test(arguments: ["iss", "aud", "sub", "sid", "anon", "jti", "iat", "exp"]) func aMissingClaim(name: String) {
        let renamed = payload().split(separator: "\"\(name)\":").joined(separator: "\"x\(name)\":")
        #expect(refusal(signed(payload: renamed)) == .invalidClaims)
    }

    @Test(arguments: [
        "1e308", "1e999", "1800000900.5", "1.8e9", "9223372036854775807", "99999999999999999999", #""1800000900""#,
        "null",
        "true", "-1",
    ])
    func timesThatAreNone(time: String) {
        #expect(refusal(signed(payload: payload(exp: time))) == .invalidClaims)
        #expect(refusal(signed(payload: payload(iat: time))) == .invalidClaims)
        #expect(refusal(signed(payload: payload(more: #","nbf":\#(time)"#))) == .invalidClaims)
    }

    @Test func timesThatArePastOrFuture() {
        #expect(refusal(signed(payload: payload(iat: "1799999000", exp: "1799999970"))) == .expired)
        #expect(refusal(signed(payload: payload(iat: "1799999000", exp: "1799999971"))) == nil)
        #expect(refusal(signed(payload: payload(iat: "1800000031"))) == .notYetValid)
        #expect(refusal(signed(payload: payload(iat: "1800000030"))) == nil)
        #expect(refusal(signed(payload: payload(more: #","nbf":1800000031"#))) == .notYetValid)
        #expect(refusal(signed(payload: payload(iat: "1800000900", exp: "1800000900"))) == .invalidClaims)
    }

    @Test func theWrongNumberOfParts() {
        let token = signed()
        let parts = token.split(separator: ".").map(String.init)
        for mangled in [
            "", ".", "..", "...", parts[0], parts[0] + "." + parts[1], token + ".", token + "." + parts[2], "." + token,
            parts[0] + ".." + parts[2], "Bearer " + token, token + " ", " " + token, token + "\n",
        ] {
            #expect([.malformed, .unsupportedHeader, .invalidSignature].contains(refusal(mangled)), "\(mangled)")
        }
        #expect(refusal(parts[0] + "." + parts[1]) == .malformed)
        #expect(refusal(token + "." + parts[2]) == .malformed)
    }

    @Test func padding() {
        let parts = signed().split(separator: ".").map(String.init)
        for index in 0..<3 {
            var padded = parts
            padded[index] += "="
            #expect(refusal(padded.joined(separator: ".")) == .malformed)
            padded[index] += "="
            #expect(refusal(padded.joined(separator: ".")) == .malformed)
        }
    }

    /// The 86 digits of a signature hold 516 bits: the last four must be zero, or one token had sixteen spellings.
    @Test func trailingBits() throws {
        let token = Array(signed().utf8)
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let last = try #require(digits.firstIndex(of: token[token.count - 1]))
        try #require(last % 16 == 0)
        for bits in 1..<16 {
            let changed = token.dropLast() + [digits[last + bits]]
            #expect(refusal(String(decoding: changed, as: UTF8.self)) == .malformed)
        }
    }

    @Test func aHugeToken() {
        #expect(
            refusal(signed(payload: payload(more: #","x":"\#(String(repeating: "x", count: 4_096))""#))) == .malformed)
        #expect(refusal(String(repeating: "a", count: 1 << 20)) == .malformed)
        #expect(refusal(signed(payload: payload(more: #","x":"\#(String(repeating: "x", count: 2_000))""#))) == nil)
    }

    @Test func anotherServersKey() {
        let other = AccessTokens(keys: .generate(now: now), issuer: tokens.issuer, audience: tokens.audience)
        let foreign = other.sign(subject: "user_01", session: "s", isAnonymous: false, now: now).token
        #expect(refusal(foreign) == .unknownKey)
        let stolenKid = JSONWebSignature.sign(
            header: Array(header().utf8), payload: Array(payload().utf8), with: other.keys.keys[0].privateKey)
        #expect(refusal(stolenKid) == .invalidSignature)
    }

    @Test func everyChangedCharacterIsRefused() {
        let token = Array(signed().utf8)
        for index in token.indices {
            var changed = token
            changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(refusal(String(decoding: changed, as: UTF8.self)) != nil)
        }
    }
}

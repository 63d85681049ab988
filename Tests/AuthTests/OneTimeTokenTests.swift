import Auth
import Cryptography
import Testing

@Suite struct OneTimeTokenTests {
    private let key = OneTimeTokenKey(SigningKeys.generate(now: 0).secrets)

    @Test func text() throws {
        let token = OneTimeToken(named: "a", key)
        #expect(token.text.utf8.count == 43)
        #expect(try #require(OneTimeToken(token.text)) == token)
        #expect(OneTimeToken(named: "a", key) == token)
        #expect(OneTimeToken(named: "b", key) != token)
        #expect(OneTimeToken(named: "a", OneTimeTokenKey(SigningKeys.generate(now: 0).secrets)) != token)
        #expect(token.hash == SHA256.digest(of: try #require(Base64.url.decode(token.text))))
    }

    @Test(arguments: [
        "", "A", String(repeating: "A", count: 42), String(repeating: "A", count: 44),
        String(repeating: "A", count: 42) + "B", String(repeating: "+", count: 43),
    ])
    func whatIsNoToken(text: String) {
        #expect(OneTimeToken(text) == nil)
    }
}

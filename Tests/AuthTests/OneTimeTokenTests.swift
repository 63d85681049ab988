import Auth
import Cryptography
import Testing

@Suite struct OneTimeTokenTests {
    @Test func text() throws {
        let token = OneTimeToken.random()
        #expect(token.text.utf8.count == 43)
        #expect(try #require(OneTimeToken(token.text)) == token)
        #expect(OneTimeToken.random().hash != token.hash)
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

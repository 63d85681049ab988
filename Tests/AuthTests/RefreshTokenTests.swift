import Cryptography
import Testing

@testable import Auth

@Suite struct RefreshTokenTests {
    private let key = RefreshTokenKey(ServerSecrets.generate())

    @Test func text() throws {
        let token = RefreshToken.random()
        #expect(token.text.hasPrefix("trt_"))
        #expect(token.text.utf8.count == 68)
        #expect(try #require(RefreshToken(token.text)) == token)
        #expect(RefreshToken.random() != token)
        #expect(SHA256Digest(bytes: token.hash.bytes) == token.hash)
        #expect(token.family.count == 16)
    }

    @Test func whatIsNoToken() {
        let text = RefreshToken.random().text
        let digits = String(text.dropFirst(4))
        let short = String(text.dropLast())
        for wrong in ["", "trt_", digits, "TRT_\(digits)", short, "\(text)A", "\(text)=", "\(short)!", "\(short)é"] {
            #expect(RefreshToken(wrong) == nil, "\(wrong)")
        }
    }

    @Test func theChildIsTheSameWheneverItIsDerived() async {
        let parent = RefreshToken.random()
        let child = parent.child(key)
        #expect(child != parent)
        #expect(child.family == parent.family)
        #expect(child.child(key) != child)
        #expect(parent.child(RefreshTokenKey(ServerSecrets.generate())) != child)
        #expect(RefreshToken.random().child(key) != child)
        let key = key
        await withTaskGroup(of: RefreshToken.self) { group in
            for _ in 0..<64 { group.addTask { parent.child(key) } }
            for await other in group { #expect(other == child) }
        }
    }

    @Test func theSecretPartIsTheHMACOfTheWholeParent() throws {
        let secrets = ServerSecrets.generate()
        let parent = RefreshToken.random()
        let bytes = try #require(Base64.url.decode(parent.text.dropFirst(4).utf8))
        let code = HMACSHA256(key: secrets.refreshToken).code(for: bytes)
        #expect(parent.child(RefreshTokenKey(secrets)).text == "trt_" + Base64.url.encode(parent.family + code.bytes))
    }
}

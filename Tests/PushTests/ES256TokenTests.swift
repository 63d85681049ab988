import Crypto
import Cryptography
import Push
import Testing

@Suite struct ES256TokenTests {
    private struct Token {
        let header: String
        let claims: String
        let message: [UInt8]
        let signature: [UInt8]
    }

    private func parts(_ token: Substring) throws -> Token {
        let parts = token.split(separator: ".")
        let decoded = try parts.map { try #require(Base64.url.decode($0.utf8)) }
        #expect(parts.count == 3)
        return Token(
            header: String(decoding: decoded[0], as: UTF8.self), claims: String(decoding: decoded[1], as: UTF8.self),
            message: Array("\(parts[0]).\(parts[1])".utf8), signature: decoded[2])
    }

    /// RFC 8292, section 2
    @Test func vapid() throws {
        let key = P256.Signing.PrivateKey()
        let header = try VAPID(key: key, contact: "mailto:push@example.com")
            .authorization(origin: "https://push.example.net", now: 1_453_523_768 - 43_200)
        #expect(header.hasPrefix("vapid t="))
        let fields = header.dropFirst(8).split(separator: ", k=")
        #expect(Base64.url.decode(fields[1].utf8) == Array(key.publicKey.x963Representation))
        let token = try parts(fields[0])
        #expect(token.header == "{\"typ\":\"JWT\",\"alg\":\"ES256\"}")
        #expect(
            token.claims == """
                {"aud":"https://push.example.net","exp":1453523768,"sub":"mailto:push@example.com"}
                """)
        #expect(try key.isSigner(of: token.signature, token.message))
    }

    @Test func apns() throws {
        let key = P256.Signing.PrivateKey()
        let credentials = APNsCredentials(key: key, keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
        let token = try parts(try credentials.token(now: 1_437_179_036)[...])
        #expect(token.header == "{\"alg\":\"ES256\",\"kid\":\"ABC123DEFG\"}")
        #expect(token.claims == "{\"iss\":\"DEF123GHIJ\",\"iat\":1437179036}")
        #expect(try key.isSigner(of: token.signature, token.message))
    }
}

extension P256.Signing.PrivateKey {
    fileprivate func isSigner(of signature: [UInt8], _ message: [UInt8]) throws -> Bool {
        publicKey.isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: signature), for: message)
    }
}

import Testing

@testable import Cryptography

@Suite struct P256Tests {
    /// The key pair and the shared secret of RFC 8291, appendix A.
    @Test func exchangesASecret() throws {
        let server = try key("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
        let client = try key("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")
        #expect(
            Base64.url.encode(server.publicKey.rawRepresentation)
                == "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8")
        #expect(
            Base64.url.encode(client.publicKey.rawRepresentation)
                == "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
        let secret = server.sharedSecret(with: client.publicKey)
        #expect(secret == client.sharedSecret(with: server.publicKey))
        #expect(Base64.url.encode(secret) == "kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs")
    }

    private func key(_ text: String) throws -> P256PrivateKey {
        try #require(Base64.url.decode(text).flatMap { P256PrivateKey(rawRepresentation: $0) })
    }

    /// RFC 8292, section 2.4.
    @Test func verifiesAnExample() throws {
        let token = """
            eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsIn\
            N1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysaz\
            NjjvW2L9OkSSHzvoD1oA
            """
        let point = "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
        let publicKey = try #require(Base64.url.decode(point).flatMap { P256PublicKey(rawRepresentation: $0) })
        let parts = token.split(separator: ".")
        var signature = try #require(Base64.url.decode(parts[2].utf8))
        let message = Array("\(parts[0]).\(parts[1])".utf8)
        #expect(publicKey.isValidSignature(signature, for: message))
        signature[40] ^= 1
        #expect(!publicKey.isValidSignature(signature, for: message))
    }

    @Test func signs() {
        for round in 0..<50 {
            let key = P256PrivateKey()
            let message = Array("message \(round)".utf8)
            let signature = key.signature(for: message)
            #expect(signature.count == 64)
            #expect(key.publicKey.isValidSignature(signature, for: message))
            #expect(!key.publicKey.isValidSignature(signature, for: message + [0]))
            #expect(!P256PrivateKey().publicKey.isValidSignature(signature, for: message))
        }
    }

    /// Made by `openssl ecparam -name prime256v1 -genkey | openssl pkcs8 -topk8 -nocrypt`, as Apple's are.
    @Test func readsPEM() throws {
        let pem = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg0DI8ePqFRRjvx1gP
            Bs+GkiBMlh0mmY2uAa+F15Y9yMChRANCAARh5sNzzF/kmjKmupSf+DkLLTTlDmz4
            TX1u2m70sxaqGoMR9KZag2KMPOY11ulmy+FxmcNffKMEinmTbiZyxRe/
            -----END PRIVATE KEY-----
            """
        let key = try #require(P256PrivateKey(pem: pem))
        let point = "BGHmw3PMX-SaMqa6lJ_4OQstNOUObPhNfW7abvSzFqoagxH0plqDYow85jXW6WbL4XGZw198owSKeZNuJnLFF78"
        #expect(Base64.url.encode(key.publicKey.rawRepresentation) == point)
        #expect(P256PrivateKey(pem: "") == nil)
        #expect(P256PrivateKey(pem: pem.replacing("PRIVATE", with: "PUBLIC")) == nil)
    }

    @Test func refusesWhatIsNoKey() {
        #expect(P256PrivateKey(rawRepresentation: [UInt8](repeating: 0, count: 32)) == nil)
        #expect(P256PrivateKey(rawRepresentation: [UInt8](repeating: 0xFF, count: 32)) == nil)
        #expect(P256PrivateKey(rawRepresentation: [1]) == nil)
        var point = P256PrivateKey().publicKey.rawRepresentation
        point[64] ^= 1
        #expect(P256PublicKey(rawRepresentation: point) == nil)
        #expect(P256PublicKey(rawRepresentation: []) == nil)
    }
}

import Cryptography
import Testing

@testable import Auth

@Suite struct SigningKeysTests {
    private let start: Int64 = 1_800_000_000
    private let lifetime: Int64 = 900

    /// RFC 8037, appendix A.1 to A.3.
    @Test func webKeyAndThumbprint() throws {
        let seed = try #require(Base64.url.decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"))
        let privateKey = try #require(Ed25519PrivateKey(rawRepresentation: seed))
        let key = SigningKey(privateKey: privateKey, createdAt: 0, activeFrom: 0)
        #expect(key.kid == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
        let secrets = ServerSecrets.generate()
        let keys = try #require(SigningKeys(keys: [key], secrets: secrets))
        #expect(
            String(decoding: keys.jwks(now: 0), as: UTF8.self)
                == #"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","#
                + #""kid":"kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k","use":"sig","alg":"EdDSA"}]}"#)
    }

    @Test func rotation() throws {
        let first = SigningKeys.generate(now: start)
        let old = first.keys[0].kid
        #expect(first.signingKey(now: start).kid == old)
        #expect(first.signingKey(now: start - 60).kid == old)

        let rotated = first.rotated(now: start + 1_000, tokenLifetime: lifetime)
        let new = rotated.keys[1].kid
        let active = start + 1_000 + 3_600
        #expect(rotated.signingKey(now: active - 1).kid == old)
        #expect(rotated.signingKey(now: active).kid == new)
        #expect(published(rotated, at: start + 1_000) == [old, new], "Published an hour ahead.")
        #expect(published(rotated, at: active) == [old, new])
        #expect(published(rotated, at: active + 2 * lifetime - 1) == [old, new])
        #expect(published(rotated, at: active + 2 * lifetime) == [new])
        #expect(rotated.secrets.refreshToken == first.secrets.refreshToken)

        let kept = active + 2 * lifetime + SigningKeys.keptAfterRetirement
        let third = rotated.rotated(now: kept - 1, tokenLifetime: lifetime)
        #expect(third.keys.map(\.kid).prefix(2) == [old, new] && third.keys.count == 3)
        #expect(third.key(kid: old)?.retireAt == active + 2 * lifetime)
        let last = rotated.rotated(now: kept, tokenLifetime: lifetime)
        #expect(last.keys.count == 2)
        #expect(last.keys[0].kid == new)
    }

    @Test func jwksHasNoPrivatePart() throws {
        let keys = SigningKeys.generate(now: start).rotated(now: start, tokenLifetime: lifetime)
        let set = try #require(JSONReader.value(of: keys.jwks(now: start))?["keys"]?.array)
        #expect(set.count == 2)
        for (member, key) in zip(set, keys.keys) {
            #expect(member.object?.keys.sorted() == ["alg", "crv", "kid", "kty", "use", "x"])
            let text = String(decoding: keys.jwks(now: start), as: UTF8.self)
            #expect(!text.contains(Base64.url.encode(key.privateKey.rawRepresentation)))
        }
    }

    @Test func aKeySetNeedsDistinctKeys() throws {
        let key = SigningKey(privateKey: Ed25519PrivateKey(), createdAt: 0, activeFrom: 0)
        #expect(SigningKeys(keys: [], secrets: .generate()) == nil)
        #expect(SigningKeys(keys: [key, key], secrets: .generate()) == nil)
    }

    private func published(_ keys: SigningKeys, at time: Int64) -> [String] {
        JSONReader.value(of: keys.jwks(now: time))?["keys"]?.array?.compactMap { $0["kid"]?.string } ?? []
    }
}

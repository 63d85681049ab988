import Crypto
import Cryptography
import Push
import Testing

@Suite struct ContentEncryptionTests {
    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64.url.decode(text)) }

    private func key(_ text: String) throws -> P256.KeyAgreement.PrivateKey {
        try P256.KeyAgreement.PrivateKey(rawRepresentation: try bytes(text))
    }

    /// RFC 8291, section 5 and appendix A.
    @Test func sealsAsPublished() throws {
        let browser = try key("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")
        let secret = try bytes("BTBZMqHH6r4Tts7J_aSIgg")
        let subscription = Subscription(
            endpoint: "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV", publicKey: browser.publicKey,
            authenticationSecret: secret)
        let body = try ContentEncryption.seal(
            Array("When I grow up, I want to be a watermelon".utf8), for: subscription,
            salt: try bytes("DGv6ra1nlYgDCS1FRnbzlw"), key: try key("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
        #expect(
            Base64.url.encode(body) == """
                DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w\
                EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
                """)
        let opened = ContentEncryption.open(body, key: browser, authenticationSecret: secret)
        #expect(opened == Array("When I grow up, I want to be a watermelon".utf8))
    }

    @Test func isForOneBrowserAlone() throws {
        let browser = P256.KeyAgreement.PrivateKey()
        let secret = SecureRandom.bytes(16)
        let subscription = Subscription(
            endpoint: "https://push.example.net/1", publicKey: browser.publicKey, authenticationSecret: secret)
        for count in [0, 1, 1000, ContentEncryption.maximumByteCount] {
            let text = SecureRandom.bytes(count)
            var body = try ContentEncryption.seal(text, for: subscription)
            #expect(body.count <= 4096)
            #expect(ContentEncryption.open(body, key: browser, authenticationSecret: secret) == text)
            let stranger = P256.KeyAgreement.PrivateKey()
            #expect(ContentEncryption.open(body, key: stranger, authenticationSecret: secret) == nil)
            #expect(ContentEncryption.open(body, key: browser, authenticationSecret: SecureRandom.bytes(16)) == nil)
            #expect(try ContentEncryption.seal(text, for: subscription) != body)
            body[body.count - 1] ^= 1
            #expect(ContentEncryption.open(body, key: browser, authenticationSecret: secret) == nil)
        }
    }
}

import Auth
import Cryptography
import Testing

@Suite struct DeviceTokenTests {
    private static let key = DeviceTokenKey(SigningKeys.generate(now: 0).secrets)
    private static let account = [UInt8](0..<16)
    private static let device = [UInt8](16..<32)
    private static let token = DeviceToken(account: account, device: device, generation: 7, key)

    @Test func isOfOneAccountAndOneGeneration() throws {
        let token = try #require(DeviceToken(Self.token.text, Self.key))
        #expect(token == Self.token)
        #expect(token.device == Self.device)
        #expect(token.isOf(account: Self.account, generation: 7))
        #expect(!token.isOf(account: Self.account, generation: 8))
        #expect(!token.isOf(account: Self.device, generation: 7))
    }

    @Test func anotherServersTokenIsNone() {
        #expect(DeviceToken(Self.token.text, DeviceTokenKey(SigningKeys.generate(now: 0).secrets)) == nil)
    }

    /// No byte of it can be changed.
    @Test func aForgedTokenIsNone() throws {
        let bytes = try #require(Base64.url.decode(Self.token.text.utf8.dropFirst(4)))
        for index in bytes.indices {
            var forged = bytes
            forged[index] ^= 1
            #expect(DeviceToken("tdt_" + Base64.url.encode(forged), Self.key) == nil)
        }
        for text in ["", "tdt_", Self.token.text + "A", String(Self.token.text.dropLast()), "x" + Self.token.text] {
            #expect(DeviceToken(text, Self.key) == nil)
        }
    }
}

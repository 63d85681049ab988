import Cryptography
import Testing

@testable import Auth

@Suite struct PasswordHashTests {
    @Test func writtenAndRead() throws {
        let parameters = try #require(Scrypt.Parameters(logN: 17))
        let hash = PasswordHash(
            parameters: parameters, salt: [UInt8](repeating: 0xFF, count: 16), key: [UInt8](repeating: 0, count: 32))
        let text = "$scrypt$ln=17,r=8,p=1$/////////////////////w$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        #expect(hash.text == text)
        #expect(PasswordHash(text) == hash)
    }

    @Test(arguments: [
        "", "password", "$scrypt$", "$argon2id$ln=10,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=10,r=8$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=63,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=20,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=-1,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=10,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA==$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=10,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$", "$scrypt$ln=10,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AA",
        "$scrypt$ln=10,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA$",
    ])
    func refused(text: String) {
        #expect(PasswordHash(text) == nil)
    }
}

import Cryptography
import Testing

/// FIPS 180-4 examples.
@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func digestInOneCall(text: String, hex: String) {
        #expect(SHA256.digest(of: text).hex == hex)
        #expect(SHA256.digest(of: Array(text.utf8)).hex == hex)
        #expect(SHA256.digest(of: Array(text.utf8).span.bytes).hex == hex)
    }

    @Test func incrementalDigestOfAMillionLetters() {
        var hash = SHA256()
        let part = [UInt8](repeating: 0x61, count: 1_000)
        for _ in 0..<1_000 { hash.update(part) }
        #expect(hash.finalize().hex == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func digestFromBytes() {
        let digest = SHA256.digest(of: "abc")
        #expect(SHA256Digest(bytes: digest.bytes) == digest)
        #expect(SHA256Digest(bytes: digest.bytes.dropLast()) == nil)
        #expect(SHA256.digest(of: "abd") != digest)
    }
}

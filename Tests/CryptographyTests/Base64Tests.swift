import Cryptography
import Testing

/// RFC 4648, sections 5 and 10.
@Suite struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func vector(text: String, encoded: String) {
        #expect(Base64.url.encode(text.utf8) == encoded)
        #expect(Base64.url.decode(encoded) == Array(text.utf8))
    }

    @Test func alphabets() {
        #expect(Base64.url.encode([0xfb, 0xff]) == "-_8")
        #expect(Base64.standard.encode([0xfb, 0xff]) == "+/8")
        #expect(Base64.url.decode("+/8") == nil)
        #expect(Base64.standard.decode("-_8") == nil)
    }

    @Test(arguments: ["Zg==", "Zg=", "Z", "Zm9vY", "Zh", "Zm9", "Zm 9v", "Zm9v\n", "Zm9\u{212A}", "\0\0\0\0"])
    func refused(text: String) {
        #expect(Base64.url.decode(text) == nil)
    }

    @Test func everyLengthSurvives() {
        for count in 0..<100 {
            let bytes = SecureRandom.bytes(count)
            #expect(Base64.url.decode(Base64.url.encode(bytes)) == bytes)
            #expect(Base64.standard.decode(Base64.standard.encodedBytes(bytes)) == bytes)
        }
    }
}

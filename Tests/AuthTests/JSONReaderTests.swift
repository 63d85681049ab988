import Testing

@testable import Auth

@Suite struct JSONReaderTests {
    @Test func everyKindOfValue() {
        let text = #" { "a" : [ 1 , -2, 0, 1.5, 1e3, true, false, null ], "b\u0041\n\ud83d\ude00" : "\"\\\/" } "#
        #expect(
            JSONReader.value(of: Array(text.utf8))
                == .object([
                    "a": .array([
                        .integer(1), .integer(-2), .integer(0), .otherNumber, .otherNumber, .boolean(true),
                        .boolean(false), .null,
                    ]),
                    "bA\n😀": .string("\"\\/"),
                ]))
    }

    @Test func numbersOutOfRangeAreNoIntegers() {
        #expect(JSONReader.value(of: Array("9223372036854775807".utf8)) == .integer(.max))
        #expect(JSONReader.value(of: Array("9223372036854775808".utf8)) == .otherNumber)
        #expect(JSONReader.value(of: Array("1e308".utf8)) == .otherNumber)
    }

    @Test(arguments: [
        "", " ", "{", "}", "{}{}", "[1,]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "{\"a\":1,\"a\":2}", "01", "-", "1.",
        ".5",
        "1e", "+1", "tru", "nul", "truex", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"",
        "\"\\udc00\"", "\"\n\"", "NaN", "'a'", "[[[[[[[[[]]]]]]]]]", "\u{FEFF}{}", "{} x", "/**/{}",
    ])
    func refused(text: String) {
        #expect(JSONReader.value(of: Array(text.utf8)) == nil)
    }

    @Test func invalidUTF8() {
        #expect(JSONReader.value(of: [0x22, 0xC3, 0x22]) == nil)
        #expect(JSONReader.value(of: [0x22, 0xED, 0xA0, 0x80, 0x22]) == nil)
    }

    @Test func depthIsBounded() {
        #expect(JSONReader.value(of: [UInt8](repeating: UInt8(ascii: "["), count: 100_000)) == nil)
    }

    @Test func whatIsWrittenIsRead() {
        let text = "\"\\\u{0}\u{1F}\n é 😀"
        var writer = JSONWriter()
        writer.object {
            $0.member("t", text)
            $0.member("i", Int64.min)
            $0.member("b", false)
        }
        #expect(
            JSONReader.value(of: writer.bytes)
                == .object(["t": .string(text), "i": .integer(.min), "b": .boolean(false)]))
    }
}

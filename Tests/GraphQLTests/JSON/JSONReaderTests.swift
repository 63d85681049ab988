import TestSupport
import Testing

@testable import GraphQL

@Suite struct JSONReaderTests {
    private func read(_ text: String) throws -> InputValue { try parseJSON(Array(text.utf8)) }

    private func failure(_ bytes: [UInt8], maxDepth: Int = 64) -> JSONError? {
        do {
            _ = try parseJSON(bytes, maxDepth: maxDepth)
            return nil
        } catch {
            return error
        }
    }

    @Test func scalars() throws {
        #expect(try read(" true ") == .boolean(true))
        #expect(try read("false") == .boolean(false))
        #expect(try read("\r\n\tnull") == .null)
        #expect(try read("\"\"") == .string(""))
    }

    @Test(arguments: [
        ("0", InputValue.int(0)), ("-0", .int(0)), ("9223372036854775807", .int(.max)),
        ("-9223372036854775808", .int(.min)), ("9223372036854775808", .float(9_223_372_036_854_775_808)),
        ("-9223372036854775809", .float(-9_223_372_036_854_775_808)), ("9007199254740993", .int(9_007_199_254_740_993)),
        ("1.5", .float(1.5)), ("1.0", .float(1)), ("-2.5e-3", .float(-0.0025)), ("1E2", .float(100)),
        ("1e-400", .float(0)),
    ])
    func numbers(text: String, value: InputValue) throws {
        #expect(try read(text) == value)
    }

    @Test(arguments: [
        ("", JSONError(.unexpectedEnd, at: 0)), ("01", JSONError(.invalidNumber, at: 0)),
        ("1.", JSONError(.unexpectedEnd, at: 2)), ("-", JSONError(.unexpectedEnd, at: 1)),
        ("+1", JSONError(.unexpectedByte(0x2B), at: 0)), (".5", JSONError(.unexpectedByte(0x2E), at: 0)),
        ("1e400", JSONError(.numberOutOfRange, at: 0)), ("[1,]", JSONError(.unexpectedByte(0x5D), at: 3)),
        ("{\"a\":1,}", JSONError(.unexpectedByte(0x7D), at: 7)), ("{a:1}", JSONError(.unexpectedByte(0x61), at: 1)),
        ("1 2", JSONError(.unexpectedByte(0x32), at: 2)), ("nul", JSONError(.unexpectedEnd, at: 3)),
        ("NaN", JSONError(.unexpectedByte(0x4E), at: 0)), ("\u{FEFF}1", JSONError(.unexpectedByte(0xEF), at: 0)),
        ("\"a", JSONError(.unexpectedEnd, at: 2)), ("\"\t\"", JSONError(.controlCharacterInString, at: 1)),
        (#""\x""#, JSONError(.invalidEscape, at: 1)), (#""\u12g4""#, JSONError(.invalidEscape, at: 1)),
        (#""\uD800""#, JSONError(.loneSurrogate, at: 1)), (#""\uDC00""#, JSONError(.loneSurrogate, at: 1)),
        (#""\uD800\uD800""#, JSONError(.loneSurrogate, at: 1)), ("{\"a\" 1}", JSONError(.unexpectedByte(0x31), at: 5)),
        ("// 1", JSONError(.unexpectedByte(0x2F), at: 0)), ("'a'", JSONError(.unexpectedByte(0x27), at: 0)),
    ])
    func refusals(text: String, error: JSONError) {
        #expect(failure(Array(text.utf8)) == error)
    }

    @Test func hugeIntegers() {
        #expect(failure(Array(repeating: 0x39, count: 400))?.reason == .numberOutOfRange)
    }

    @Test func invalidUTF8() {
        for bytes: [UInt8] in [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x5C, 0x6E, 0x80],
        ] {
            #expect(failure([0x22] + bytes + [0x22]) == JSONError(.invalidUTF8, at: 1))
        }
        #expect(failure([0xFF])?.reason == .unexpectedByte(0xFF))
        #expect(failure([0x00])?.reason == .unexpectedByte(0))
    }

    @Test func strings() throws {
        #expect(try read(#""a\"\\\/\b\f\n\r\tz""#) == .string("a\"\\/\u{8}\u{C}\n\r\tz"))
        #expect(
            try read(#""\u00E4 \uD83D\uDE00 ß 😀 plain text beyond one word""#)
                == .string("ä 😀 ß 😀 plain text beyond one word"))
        #expect(try read(#""\u0000""#) == .string("\0"))
    }

    @Test func containers() throws {
        #expect(try read("[ ]") == .list([]))
        #expect(try read("{ }") == .object(InputObject()))
        #expect(
            try read(#"{"a": [1, {"b": null}], "c": "d"}"#)
                == .object(
                    InputObject([
                        (name: "a", value: .list([.int(1), .object(InputObject([(name: "b", value: .null)]))])),
                        (name: "c", value: .string("d")),
                    ])))
    }

    @Test func theLastOfTwoMembersCounts() throws {
        guard case .object(let small) = try read(#"{"a":1,"b":2,"a":3}"#) else {
            Issue.record("not an object")
            return
        }
        #expect(small.fields.map(\.name) == ["a", "b"])
        #expect(small["a"] == .int(3))
        let members = (0..<20_000).map { "\"k\($0 / 2)\":\($0)" }.joined(separator: ",")
        guard case .object(let large) = try read("{\(members)}") else {
            Issue.record("not an object")
            return
        }
        #expect(large.fields.count == 10_000)
        #expect(large.fields.last?.value == .int(19_999))
    }

    @Test func nestingIsBounded() {
        #expect(failure(Array(String(repeating: "[", count: 64).utf8))?.reason == .unexpectedEnd)
        #expect(failure(Array(String(repeating: "[", count: 100_000).utf8))?.reason == .tooDeep(maximum: 64))
        #expect(failure(Array(String(repeating: "{\"a\":", count: 100_000).utf8))?.reason == .tooDeep(maximum: 64))
        #expect(failure(Array("[[[]]]".utf8), maxDepth: 3) == nil)
        #expect(failure(Array("[[[]]]".utf8), maxDepth: 2) == JSONError(.tooDeep(maximum: 2), at: 2))
    }

    @Test func randomBytesNeverCrash() {
        var random = SeededGenerator(seed: 7)
        let alphabet = Array("{}[]\":,\\u0aD8-+.eE truefalsn\u{1}ä".utf8) + [0xFF]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            if let error = failure(bytes) { #expect(error.offset <= bytes.count) }
        }
    }
}

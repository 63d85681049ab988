import Testing

@testable import FirebaseImport

@Suite struct JSONScannerTests {
    private func scanner(_ text: String) -> JSONScanner { JSONScanner(Array(text.utf8)) }

    @Test func membersAndElementsComeInOrder() throws {
        let scanner = scanner(#" {"a" : [1, {"b":2}, "x,]}\""] , "ä": null } "#)
        #expect(try scanner.beginObject())
        #expect(try scanner.key() == .init(text: "a"))
        #expect(try scanner.beginArray())
        var elements: [String] = []
        while try scanner.element() {
            elements.append(String(decoding: try #require(try scanner.capture(limit: 100)), as: UTF8.self))
        }
        #expect(elements == ["1", #"{"b":2}"#, #""x,]}\"""#])
        #expect(try scanner.key()?.text == "ä")
        try scanner.skip()
        #expect(try scanner.key() == nil)
        #expect(try scanner.isAtEnd)
    }

    /// The buffer holds 64 KiB.
    @Test(arguments: [65_530, 65_536, 65_540, 200_000]) func aValueAcrossBuffers(length: Int) throws {
        let text = String(repeating: "é", count: length / 2)
        let scanner = scanner("[\"\(text)\", 7]")
        #expect(try scanner.beginArray())
        #expect(try scanner.element())
        #expect(try scanner.capture(limit: 1 << 20)?.count == text.utf8.count + 2)
        #expect(try scanner.element())
        #expect(try scanner.capture(limit: 8) == Array("7".utf8))
        #expect(try !scanner.element())
    }

    @Test func aValueBeyondTheLimitIsPassed() throws {
        let scanner = scanner(#"[{"a":[1,2,3]}, true]"#)
        #expect(try scanner.beginArray())
        #expect(try scanner.element())
        #expect(try scanner.capture(limit: 5) == nil)
        #expect(try scanner.element())
        #expect(try scanner.capture(limit: 5) == Array("true".utf8))
    }

    /// Skipping does not recurse.
    @Test func anyDepthIsPassed() throws {
        let depth = 1_000_000
        let scanner = scanner(String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + " 1")
        try scanner.skip()
        #expect(try scanner.capture(limit: 10) == Array("1".utf8))
    }

    @Test(arguments: [
        "", "{", #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a":1,"#, #"{"a":1,}"#, #"{"a":1 "b":2}"#, "{a:1}", #"{"a" 1}"#,
    ])
    func malformedObjectsFail(text: String) {
        #expect(throws: ImportFailure.self) {
            let scanner = scanner(text)
            guard try scanner.beginObject() else { throw ImportFailure("not an object") }
            while try scanner.key() != nil { try scanner.skip() }
        }
    }

    @Test func aNameOfWrongBytesIsMarked() throws {
        let scanner = JSONScanner(Array("{\"".utf8) + [0xFF, 0xFE] + Array("\":1}".utf8))
        #expect(try scanner.beginObject())
        #expect(try scanner.key() == .init(text: "\u{FFFD}\u{FFFD}", defect: .encoding))
    }

    @Test(arguments: [#"\x"#, #"\u12"#, #"\ud800"#, "\u{1}"]) func aNameWithAWrongEscapeIsMarked(name: String) throws {
        let scanner = scanner("{\"\(name)\":1}")
        #expect(try scanner.beginObject())
        #expect(try scanner.key() == .init(text: name, defect: .syntax))
    }

    @Test func aNameTooLongFails() throws {
        let scanner = scanner("{\"\(String(repeating: "k", count: 5_000))\":1}")
        #expect(try scanner.beginObject())
        #expect(throws: ImportFailure.self) { try scanner.key() }
    }
}

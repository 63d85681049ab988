import Testing

@testable import GraphQLTransport

struct MultipartParserTests {
    /// Content in one piece, so that a transcript does not depend on how the input was cut.
    private func transcript(_ text: String, boundary: String = "b", by size: Int = .max) throws -> [String] {
        var parser = MultipartParser(try #require(MultipartBoundary(boundary)))
        let bytes = Array(text.utf8)
        var lines: [String] = []
        var content: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let end = position + min(size, bytes.count - position)
            var input = bytes[position..<end]
            while let event = try parser.next(&input) {
                switch event {
                case .partBegins(let header): lines.append("part \(header.name ?? "") \(header.filename ?? "-")")
                case .content(let bytes): content += bytes
                case .partEnds:
                    lines.append(String(decoding: content, as: UTF8.self))
                    content = []
                }
            }
            position = end
        }
        try parser.finish()
        return lines
    }

    private func part(_ name: String, _ content: String) -> String {
        "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(content)\r\n"
    }

    @Test(arguments: [1, 2, 3, 5, 7, 64, Int.max])
    func takesPartsApartHoweverTheyAreCut(_ size: Int) throws {
        let text = part("a", "one") + part("b", "") + part("c", "two\r\nlines") + "--b--\r\n"
        #expect(
            try transcript(text, by: size) == ["part a -", "one", "part b -", "", "part c -", "two\r\nlines"])
    }

    @Test(arguments: ["\r\n--", "\r\n-", "\r", "\r\n--c", "\r\r\n", "--b", "\r\n--\r\n--", "\n--b"])
    func contentMayLookLikeADelimiter(_ content: String) throws {
        for size in [1, 2, Int.max] {
            #expect(try transcript(part("a", content) + "--b--", by: size) == ["part a -", content])
        }
    }

    @Test func preambleAndEpilogueAreNoParts() throws {
        let text = "This is a preamble.\r\n" + part("a", "x") + "--b--\r\nAnd an epilogue --b\r\n"
        #expect(try transcript(text) == ["part a -", "x"])
    }

    @Test func thereMayBeNoParts() throws { #expect(try transcript("--b--") == []) }

    @Test func aBoundaryMayBePadded() throws {
        #expect(
            try transcript("--b \t\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--b--") == ["part a -", "x"])
    }

    @Test(arguments: [
        "", "--b", "--b-", "--b\r\n", "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx", "text",
        "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--b",
    ])
    func theLastBoundaryMustCome(_ text: String) {
        #expect(throws: MultipartError.malformed("The body ends before its last boundary.")) { try transcript(text) }
    }

    @Test(arguments: [
        "--bx\r\n", "--b\rx", "--b\n", "--b-x", "--b- -", "--b\r\nName", "--b\r\nno colon\r\n", "--b\r\n: x\r\n",
        "--b\r\nA: 1\nB: 2\r\n", "--b\r\n Content-Disposition: form-data;\r\n", "--b\r\nA b: 1\r\n",
        "--b\r\nContent-Disposition: attachment; name=a\r\n", "--b\r\nContent-Disposition: form-data; name=\"a\r\n",
        "--b\r\nContent-Disposition: form-data; name=a; name=b\r\n", "--b\r\nContent-Disposition: form-data; =a\r\n",
        "--b\r\nContent-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=a\r\n",
        "--b\r\nContent-Transfer-Encoding: base64\r\n",
    ])
    func whatIsMalformedIsRefused(_ text: String) {
        #expect(throws: MultipartError.self) { try transcript(text) }
    }

    @Test func aHeaderHasALimit() throws {
        let text = "--b\r\nX: " + String(repeating: "x", count: 9_000) + "\r\n\r\n\r\n--b--"
        #expect(throws: MultipartError.malformed("A part's header is larger than 8192 bytes.")) { try transcript(text) }
    }

    @Test func whatIsNoContentHasALimit() throws {
        for text in ["--b--" + String(repeating: "x", count: 200), String(repeating: "x", count: 200)] {
            var parser = MultipartParser(try #require(MultipartBoundary("b")), maxOverhead: 100)
            var input = Array(text.utf8)[...]
            #expect(throws: MultipartError.tooLarge("Beside its files the body is larger than 100 bytes.")) {
                try parser.next(&input)
            }
        }
    }
}

struct MultipartBoundaryTests {
    @Test(arguments: [
        "multipart/form-data; boundary=abc", "Multipart/Form-Data; charset=utf-8; boundary=\"a b:c\"",
        "multipart/form-data; boundary=----WebKitFormBoundaryA1b2",
    ])
    func isReadFromTheMediaType(_ type: String) { #expect(MultipartBoundary(contentType: type) != nil) }

    @Test(arguments: [
        "multipart/form-data", "multipart/mixed; boundary=a", "application/json; boundary=a",
        "multipart/form-data; boundary=\"\"", "multipart/form-data; boundary=\"a \"",
        "multipart/form-data; boundary=é", "multipart/form-data; boundary=\(String(repeating: "x", count: 71))",
    ])
    func hasTo(_ type: String) { #expect(MultipartBoundary(contentType: type) == nil) }
}

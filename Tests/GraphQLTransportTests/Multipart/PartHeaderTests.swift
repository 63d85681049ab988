import Testing

@testable import GraphQLTransport

@Suite(.timeLimit(.minutes(10)))
struct PartHeaderTests {
    private func header(_ disposition: String) throws -> PartHeader {
        var header = PartHeader()
        try header.read(Array("content-disposition: \(disposition)".utf8))
        return header
    }

    @Test(arguments: [
        (#"form-data; name="a"; filename="b.txt""#, "b.txt"), (#"form-data;name=a;filename=b.txt"#, "b.txt"),
        (#"FORM-DATA; Name="a" ; FileName="b;c.txt""#, "b;c.txt"),
        (#"form-data; name="a"; filename="你好.txt""#, "你好.txt"),
        (#"form-data; name="a"; filename="a\"b.txt""#, #"a"b.txt"#),
        (#"form-data; name="a"; filename="a%22b.txt""#, #"a"b.txt"#),
        (#"form-data; name="a"; filename="""#, ""), (#"form-data; name="a"; filename="x"; filename*=UTF-8''y"#, "x"),
        (#"form-data; name="a"; filename="50%.txt";"#, "50%.txt"),
    ])
    func readsNames(_ disposition: String, _ filename: String) throws {
        let header = try header(disposition)
        #expect(header.name == "a")
        #expect(header.filename == filename)
    }

    /// The name stands before or behind a file name that cannot be read.
    @Test(arguments: [
        ("café.png", [0x63, 0x61, 0x66, 0xE9, 0x2E, 0x70, 0x6E, 0x67], "caf\u{FFFD}.png"),
        // In Shift JIS the character's second byte is a backslash.
        ("表", [0x95, 0x5C], "\u{FFFD}\\"), ("表.png", [0x95, 0x5C, 0x2E, 0x70, 0x6E, 0x67], "\u{FFFD}\\.png"),
        ("ソ\"", [0x83, 0x5C, 0x5C, 0x22], "\u{FFFD}\\\\\""),
    ]) func aFilenameMayHaveAnyEncoding(_ text: String, _ bytes: [UInt8], _ expected: String) throws {
        let (start, end) = (Array("content-disposition: form-data; ".utf8), Array(#"; name="a""#.utf8))
        let filename = Array(#"filename=""#.utf8) + bytes + [UInt8(ascii: "\"")]
        for line in [start + filename + end, start + end.dropFirst(2) + [UInt8(ascii: ";")] + filename] {
            var header = PartHeader()
            try header.read(line)
            #expect(header.name == "a", "\(text)")
            #expect(header.filename == expected, "\(text)")
        }
    }

    @Test(arguments: [
        (#"form-data; name="a"; filename=my photo.jpg"#, "my photo.jpg"),
        (#"form-data; filename=my photo (1).jpg ; name=a"#, "my photo (1).jpg"),
        (#"form-data; name="a"; filename=Grüße aus Köln.jpg"#, "Grüße aus Köln.jpg"),
        (#"form-data; name="a"; filename="b"c.txt""#, #"b"c.txt"#),
        (#"form-data; name="a"; filename="b.txt"#, "b.txt"),
        (#"form-data; name="a"; filename="b"; filename="c""#, "b"), (#"form-data; name="a"; filename="b"; x"#, "b"),
        (#"form-data; name="a"; x=; y; =z;; filename="b""#, "b"),
        (#"form-data; name="a"; filename*=UTF-8''%E2%82%AC%20a.png"#, "€ a.png"),
        (#"form-data; name="a"; filename*=iso-8859-1'en'caf%E9%zz"#, "caf\u{FFFD}%zz"),
        (#"form-data; name="a"; filename*=plain"#, "plain"),
    ]) func aFilenameNeedNotBeExact(_ disposition: String, _ filename: String) throws {
        let header = try header(disposition)
        #expect(header.name == "a")
        #expect(header.filename == filename)
    }

    @Test(arguments: [
        #"form-data; name=my field"#, #"form-data; name="a"b"#, #"form-data; name="a"#,
        #"form-data; name="a"; name="b""#,
        #"attachment; name="a""#, #"form-data; name=Größe"#,
    ]) func aNameIsExact(_ disposition: String) {
        #expect(throws: MultipartError.self) { try header(disposition) }
    }

    /// Each value is read to its semicolon. A search for the end of each string would take hours.
    @Test func manyOpenQuotationMarksAreReadOnce() throws {
        let open = String(repeating: #"; x="y"#, count: 1 << 17)
        #expect(try header(#"form-data; name="a""# + open + #"; filename="b c"#).filename == "b c")
    }

    @Test func aNameIsUTF8() {
        var header = PartHeader()
        #expect(throws: MultipartError.malformed("The name of a part is malformed.")) {
            try header.read(Array(#"content-disposition: form-data; name=""#.utf8) + [0xE9, UInt8(ascii: "\"")])
        }
    }

    @Test(arguments: [
        "no colon", ": no name", "bad name: x", "x-caf\u{E9}: x", " folded", "content-disposition form-data; name=b",
    ]) func aForeignHeaderIsIgnored(_ line: String) throws {
        var header = try header(#"form-data; name="a"; filename="b""#)
        let before = header
        try header.read(Array(line.utf8))
        try header.read(Array("X-Foreign: ".utf8) + [0xFF, 0xFE])
        #expect(header == before)
    }

    @Test(arguments: [
        ("../../etc/passwd", "passwd"), (#"C:\Users\ann\a.png"#, "a.png"), ("a/..", ""), ("..", ""), ("/", ""),
        ("a\u{7}b\u{0}.png", "ab.png"), ("plain.png", "plain.png"),
    ])
    func keepsOfAFilenameWhatIsNoPath(_ written: String, _ kept: String) throws {
        let header = try header("form-data; name=\"a\"; filename=\"\(written.replacing("\\", with: "\\\\"))\"")
        #expect(header.lastFilename == kept)
    }

    @Test func aLongFilenameIsCut() throws {
        let header = try header("form-data; name=a; filename=\(String(repeating: "x", count: 1_000))")
        #expect(header.lastFilename.count == 255)
    }

    @Test func aPartWithoutFilenameIsNoFile() throws {
        #expect(try header(#"form-data; name="a""#).filename == nil)
        #expect(try header(#"form-data"#).name == nil)
    }
}

import Testing

@testable import GraphQLTransport

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

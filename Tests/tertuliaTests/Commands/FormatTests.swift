import ArgumentParser
import FoundationEssentials
import SystemPackage
import Testing

@testable import tertulia

@Suite struct FormatTests {
    /// The text of a file after `format --write`, and whether the command succeeded.
    private func written(_ text: String, _ flags: [String] = []) async throws -> (text: String, isFine: Bool) {
        var result = (text: "", isFine: true)
        try await TemporaryHome.with { directory in
            let path = directory.appending("d.graphql").string
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            do { try Format.parse(["--write"] + flags + [path]).run() } catch is ExitCode { result.isFine = false }
            result.text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        }
        return result
    }

    @Test(arguments: [
        ("query   A{a,b(x:1)}", "query A {\n  a\n  b(x: 1)\n}\n"), ("{a}{b}", "{\n  a\n}\n\n{\n  b\n}\n"),
        ("type A{\"d\" a:Int#\n}", "type A {\n  \"d\"\n  a: Int\n}\n"),
    ])
    func theFormIsCanonical(_ text: String, _ expected: String) async throws {
        let first = try await written(text, ["--drop-comments"])
        #expect(first.isFine)
        #expect(first.text == expected)
        #expect(try await written(expected).text == expected)
    }

    @Test(arguments: ["{ a # why\n}", "#\n{a}", #"{ a(s: "x") # "\#n}"#, "{ a(s: \"\"\"x \\\"\"\" # \"\"\") } #"])
    func commentsAreNotLostUnasked(_ text: String) async throws {
        let kept = try await written(text)
        #expect(!kept.isFine)
        #expect(kept.text == text)
    }

    @Test(arguments: [
        ##"{a(s:"# \" # \\")}"##, "{a(s:\"\"\"# \\\"\"\" # \"\"\")}", ##"{a(s:"") b(s:"#")}"##,
        "{a(s:\"\"\"\\ \"\"\")}",
    ])
    func aHashInAStringIsNoComment(_ text: String) async throws {
        let result = try await written(text)
        #expect(result.isFine)
        #expect(result.text != text)
    }

    @Test func whatDoesNotParseStaysAsItIs() async throws {
        let result = try await written("{ a ")
        #expect(!result.isFine)
        #expect(result.text == "{ a ")
    }
}

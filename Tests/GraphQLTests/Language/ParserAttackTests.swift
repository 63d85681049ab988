import Testing

@testable import GraphQL

/// Hostile documents: each gets an answer soon, and none a crash.
@Suite struct ParserAttackTests {
    private func failure(_ text: String, maxTokens: Int? = nil) -> GraphQLError? {
        failure(Array(text.utf8), maxTokens: maxTokens)
    }

    private func failure(_ bytes: [UInt8], maxTokens: Int? = nil) -> GraphQLError? {
        do {
            _ = try parse(Source(bytes), options: ParserOptions(maxTokens: maxTokens))
            return nil
        } catch {
            return error
        }
    }

    private func repeated(_ text: String, _ count: Int = 100_000) -> String { String(repeating: text, count: count) }

    @Test(arguments: [
        ("", "{a"), ("{", "...{"), ("{", "...on A{"), ("{a(b:", "["), ("{a(b:", "{c:"), ("{a@d(b:", "[{c:"),
    ])
    func nestedSelectionsAndValues(head: String, unit: String) {
        let error = failure(head + repeated(unit))
        #expect(error?.extensions["code"] == .string("QUERY_TOO_COMPLEX"))
        #expect(error?.extensions["limit"] == .string("parserDepth"))
        #expect(error?.extensions["maximum"] == .int(64))
    }

    @Test func nestedListTypes() {
        #expect(failure("query($a:" + repeated("["))?.extensions["limit"] == .string("parserDepth"))
        #expect(failure("type A{b:" + repeated("["))?.extensions["limit"] == .string("parserDepth"))
        #expect(failure("query($a:I=" + repeated("["))?.extensions["limit"] == .string("parserDepth"))
    }

    @Test func theBoundItself() {
        #expect(failure(repeated("{a", 64) + repeated("}", 64)) == nil)
        #expect(failure(repeated("{a", 65) + repeated("}", 65))?.extensions["limit"] == .string("parserDepth"))
        let list = repeated("[", 63) + repeated("]", 63)
        #expect(failure("{a(b:\(list))}") == nil)
        #expect(failure("{a(b:[\(list)])}")?.extensions["limit"] == .string("parserDepth"))
    }

    @Test func depthIsGivenBack() {
        #expect(failure("{" + repeated("a{b(c:[[{d:[1]}]])}", 1000) + "}") == nil)
    }

    @Test func tokensAreCounted() {
        let error = failure("{" + repeated("a @d ") + "}", maxTokens: 2000)
        #expect(error?.message == "Syntax Error: Document contains more that 2000 tokens. Parsing aborted.")
        #expect(error?.locations.first?.line == 1)
        #expect(failure(repeated("query Q{a}", 1000), maxTokens: 2000)?.extensions["limit"] == .string("tokens"))
    }

    @Test(arguments: [" ", ",", "\u{FEFF}", "\t", "\n", "\r\n", "#", "# ä\n"])
    func aMegabyteOfNothing(unit: String) {
        let filler = repeated(unit, 1_048_576 / unit.utf8.count)
        #expect(failure(filler)?.message == "Syntax Error: Unexpected <EOF>.")
        #expect(failure("{" + filler + "\n a }") == nil)
    }

    @Test func hugeTokens() {
        #expect(failure("{" + repeated("a") + "}") == nil)
        #expect(failure("{a(b:" + repeated("9") + ")}") == nil)
        #expect(failure("{a(b:\"" + repeated("\\u00e4") + "\")}") == nil)
        #expect(failure("{a(b:\"\"\"" + repeated(" \n") + "\"\"\")}") == nil)
        #expect(failure("{a(b:\"" + repeated("x"))?.message == "Syntax Error: Unterminated string.")
    }

    @Test func bytesThatAreNoText() {
        for bytes: [UInt8] in [[0xFF], [0xC0, 0xAF], [0xED, 0xBF, 0xBF], [0xF8, 0x88, 0x80, 0x80, 0x80], [0x00]] {
            for place in ["{a", "{a(b:\"", "{a(b:\"\"\"", "#"] {
                let error = failure(Array(place.utf8) + bytes + Array("\n}".utf8))
                let isIgnored = place != "{a" && bytes == [0x00]
                #expect(error?.extensions["code"] == .string("GRAPHQL_PARSE_FAILED"))
                if !isIgnored { #expect(error?.locations == [SourceLocation(line: 1, column: place.utf8.count + 1)]) }
            }
        }
    }
}

import Testing

@testable import GraphQL

/// The lexer, the parser and the printer against recorded cases of graphql-js 16, whose every word they reproduce:
/// in none of these cases does the September 2025 edition ask for something else.
@Suite(.enabled(if: ConformanceFolder.has("parser.jsonl")))
struct ParserConformanceTests {
    @Test func recordedCases() throws {
        let cases = try ConformanceCase.read("parser.jsonl")
        var passed = 0
        for recorded in cases {
            let expected = try expectation(recorded)
            let actual = try outcome(recorded)
            if actual == expected { passed += 1 }
            #expect(actual == expected, "\(recorded.id) \(recorded.string("test") ?? "")")
        }
        print("parser.jsonl: \(passed) / \(cases.count)")
        #expect(!cases.isEmpty)
    }

    private func expectation(_ recorded: ConformanceCase) throws -> String {
        if let error = RecordedError(recorded.object("error")) { return error.description }
        if let token = recorded.object("token") {
            var writer = JSONWriter()
            writer.write(token)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
        return try #require(recorded.string("printed"))
    }

    private func outcome(_ recorded: ConformanceCase) throws -> String {
        let source = try #require(recorded.source())
        do {
            switch recorded.string("kind") {
            case "parse": return try parse(source, options: options(recorded)).printed
            case "parseValue": return try parseValue(source).printed
            case "parseType": return try parseType(source).printed
            case "lex": return try token(source, recorded)
            default:
                Issue.record("\(recorded.id) is of an unknown kind")
                return ""
            }
        } catch let error as GraphQLError {
            return RecordedError(error).description
        }
    }

    private func options(_ recorded: ConformanceCase) -> ParserOptions {
        var options = ParserOptions()
        for option in recorded.object("options")?.fields ?? [] {
            switch (option.name, option.value) {
            case ("maxTokens", .int(let maximum)): options.maxTokens = maximum
            case ("allowLegacyFragmentVariables", .boolean(let isAllowed)):
                options.allowLegacyFragmentVariables = isAllowed
            case ("noLocation", _): break
            default: Issue.record("\(recorded.id) has an unknown option \(option.name)")
            }
        }
        return options
    }

    /// The nth token as JSON, where offsets count UTF-16 code units as columns do.
    private func token(_ source: Source, _ recorded: ConformanceCase) throws -> String {
        guard case .int(let nth)? = recorded.fields["nth"] else { return "no nth" }
        return try source.bytes.withUnsafeBufferPointer { bytes in
            var lexer = Lexer(bytes)
            for _ in 0..<nth { try lexer.advance() }
            func utf16(_ offset: Int) -> Int { String(decoding: bytes[..<offset], as: UTF8.self).utf16.count }
            let place = source.location(of: Location(offset: lexer.start))
            let kind = lexer.kind.text.filter { $0 != "\"" }
            var token: [(name: String, value: InputValue)] = [
                (name: "kind", value: .string(kind)),
                (name: "start", value: .int(utf16(lexer.start))),
                (name: "end", value: .int(utf16(lexer.end))),
                (name: "line", value: .int(place.line)),
                (name: "column", value: .int(place.column)),
            ]
            switch lexer.kind {
            case .string, .blockString: token.append((name: "value", value: .string(lexer.string)))
            case .name, .int, .float: token.append((name: "value", value: .string(lexer.text)))
            default: break
            }
            var writer = JSONWriter()
            writer.write(InputObject(token))
            return String(decoding: writer.bytes, as: UTF8.self)
        }
    }
}

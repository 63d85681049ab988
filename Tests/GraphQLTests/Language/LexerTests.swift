import Testing

@testable import GraphQL

@Suite struct LexerTests {
    /// Kinds with the text of those tokens that have one.
    private func tokens(_ text: String) throws -> [String] {
        var tokens: [String] = []
        try Array(text.utf8).withUnsafeBufferPointer { bytes in
            var lexer = Lexer(bytes)
            try lexer.advance()
            while lexer.kind != .endOfFile {
                tokens.append(lexer.tokenDescription)
                try lexer.advance()
            }
        }
        return tokens
    }

    private func message(_ text: String) -> String? { message(Array(text.utf8)) }

    private func message(_ bytes: [UInt8]) -> String? {
        do {
            _ = try parseValue(Source(bytes))
            return nil
        } catch {
            return error.message
        }
    }

    @Test func punctuators() throws {
        #expect(try tokens("! $ & ( ) ... : = @ [ ] { | }").count == 14)
        #expect(try tokens("...") == ["\"...\""])
    }

    @Test func ignoredTokensSeparate() throws {
        #expect(
            try tokens("\u{FEFF}a,,b\t#c d\r\ne\u{FEFF}_1") == [
                "Name \"a\"", "Name \"b\"", "Name \"e\"", "Name \"_1\"",
            ])
        #expect(try tokens("").isEmpty)
        #expect(try tokens("# only ä 😀 comment").isEmpty)
    }

    @Test func numbers() throws {
        #expect(try tokens("0 -0 42 -7") == ["Int \"0\"", "Int \"-0\"", "Int \"42\"", "Int \"-7\""])
        #expect(try tokens("0.5 1e9 -2.5E-3 1e+0").allSatisfy { $0.hasPrefix("Float") })
        #expect(message("007") == "Syntax Error: Invalid number, unexpected digit after 0: \"0\".")
        #expect(message("1.") == "Syntax Error: Invalid number, expected digit but got: <EOF>.")
        #expect(message("-") == "Syntax Error: Invalid number, expected digit but got: <EOF>.")
        #expect(message("3x") == "Syntax Error: Invalid number, expected digit but got: \"x\".")
        #expect(message(".5") == "Syntax Error: Unexpected character: \".\".")
    }

    @Test func escapes() throws {
        #expect(try tokens(#""\"\\\/\b\f\n\r\t""#) == ["String \"\"\\/\u{8}\u{C}\n\r\t\""])
        #expect(try tokens(#""\u00e4\u{1F600}\uD83D\uDE00ß""#) == ["String \"ä😀😀ß\""])
        #expect(message(#""\u{110000}""#) == #"Syntax Error: Invalid Unicode escape sequence: "\u{110000}"."#)
        #expect(message(#""\u{}""#) == #"Syntax Error: Invalid Unicode escape sequence: "\u{}"."#)
        #expect(message(#""\u{FFFFFFFF}""#) == #"Syntax Error: Invalid Unicode escape sequence: "\u{FFFFFFFF"."#)
        #expect(message(#""\x""#) == #"Syntax Error: Invalid character escape sequence: "\x"."#)
        #expect(message("\"open") == "Syntax Error: Unterminated string.")
        #expect(message("\"a\nb\"") == "Syntax Error: Unterminated string.")
        #expect(message("\"\\") == #"Syntax Error: Invalid character escape sequence: "\"."#)
    }

    @Test func blockStrings() throws {
        #expect(try tokens("\"\"\"\n\n    one\r\n      two\r\n    \n\n\"\"\"") == ["BlockString \"one\n  two\""])
        #expect(try tokens(#"""" a \""" \n """"#) == [#"BlockString " a """ \n ""#])
        #expect(try tokens("\"\"\"\"\"\"") == ["BlockString \"\""])
        #expect(message("\"\"\"\"") == "Syntax Error: Unterminated string.")
    }

    @Test func bytesThatAreNoText() {
        #expect(message([0x22, 0xFF, 0x22]) == "Syntax Error: Invalid UTF-8 byte within String: 0xFF.")
        #expect(message([0x22, 0xC0, 0x80, 0x22]) == "Syntax Error: Invalid UTF-8 byte within String: 0xC0.")
        #expect(message([0x22, 0xE2, 0x82]) == "Syntax Error: Invalid UTF-8 byte within String: 0xE2.")
        #expect(
            message([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22]) == "Syntax Error: Invalid UTF-8 byte within String: 0xF4.")
        #expect(message([0x22, 0xED, 0xA0, 0x80, 0x22]) == "Syntax Error: Invalid character within String: U+D800.")
        #expect(message([0x23, 0x80]) == "Syntax Error: Invalid UTF-8 byte: 0x80.")
        #expect(message([0xEF, 0xBB]) == "Syntax Error: Invalid UTF-8 byte: 0xEF.")
        #expect(message([0x00]) == "Syntax Error: Unexpected character: U+0000.")
        #expect(message("é") == "Syntax Error: Unexpected character: U+00E9.")
        #expect(
            message("'a'")
                == "Syntax Error: Unexpected single quote character ('), did you mean to use a double quote (\")?")
    }
}

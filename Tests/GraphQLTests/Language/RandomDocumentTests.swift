import TestSupport
import Testing

@testable import GraphQL

@Suite struct RandomDocumentTests {
    @Test func printingIsStable() throws {
        for seed in 0..<1000 {
            var generator = RandomDocument(random: SeededGenerator(seed: UInt64(seed)))
            let text = generator.document()
            let once = try parse(Source(text)).printed
            let twice = try parse(Source(once)).printed
            #expect(once == twice, "seed \(seed)")
        }
    }

    /// Nothing but the spacing may be lost: the tokens of the print are those of the document.
    @Test func printingKeepsTokens() throws {
        for seed in 0..<1000 {
            var generator = RandomDocument(random: SeededGenerator(seed: UInt64(seed)))
            let text = generator.document()
            #expect(try tokens(text) == tokens(try parse(Source(text)).printed), "seed \(seed)")
        }
    }

    /// Without those that the printer may add or leave out: `query` of a shorthand, the first `|` and `&`.
    private func tokens(_ text: String) throws -> [String] {
        try Array(text.utf8).withUnsafeBufferPointer { bytes in
            var lexer = Lexer(bytes)
            var tokens: [String] = []
            try lexer.advance()
            while lexer.kind != .endOfFile {
                if lexer.kind != .pipe, lexer.kind != .ampersand, !lexer.isName("query") {
                    tokens.append(lexer.tokenDescription)
                }
                try lexer.advance()
            }
            return tokens
        }
    }

    @Test func mutatedBytesNeverCrash() {
        var random = SeededGenerator(seed: 1)
        var refused = 0
        for seed in 0..<1000 {
            var generator = RandomDocument(random: SeededGenerator(seed: UInt64(seed)))
            var bytes = Array(generator.document().utf8)
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1 where bytes.count > 1: bytes.remove(at: place)
                case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                default: bytes.removeLast(min(place, bytes.count - 1))
                }
            }
            do {
                let printed = try parse(Source(bytes)).printed
                #expect(throws: Never.self) { try parse(Source(printed)) }
            } catch {
                refused += 1
                #expect(error.message.hasPrefix("Syntax Error: "))
                #expect(error.locations.count == 1)
            }
        }
        #expect(refused > 300)
    }
}

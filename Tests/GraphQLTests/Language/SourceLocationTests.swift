import Testing

@testable import GraphQL

@Suite struct SourceLocationTests {
    private func location(_ source: Source, _ offset: Int) -> [Int] {
        let location = source.location(of: Location(offset: offset))
        return [location.line, location.column]
    }

    @Test func lineTerminators() {
        let source = Source("a\nb\r\nc\rd\n\re")
        #expect(location(source, 0) == [1, 1])
        #expect(location(source, 2) == [2, 1])
        #expect(location(source, 5) == [3, 1])
        #expect(location(source, 7) == [4, 1])
        #expect(location(source, 10) == [6, 1])
        #expect(location(source, 11) == [6, 2])
    }

    @Test func columnsCountUTF16() {
        let source = Source("aß€😀b")
        #expect(location(source, 1) == [1, 2])
        #expect(location(source, 3) == [1, 3])
        #expect(location(source, 6) == [1, 4])
        #expect(location(source, 10) == [1, 6])
    }

    @Test func invalidBytesCountOne() {
        let source = Source([0xFF, 0x80, 0xE2, 0x82, 0x61, 0xED, 0xA0, 0x80, 0x62, 0xF0, 0x9F])
        #expect(location(source, 4) == [1, 5])
        #expect(location(source, 8) == [1, 7])
        #expect(location(source, 11) == [1, 10])
    }

    @Test func offsetsOutsideAreMovedIn() {
        #expect(location(Source("ab"), 100) == [1, 3])
        #expect(location(Source("ab"), -1) == [1, 1])
    }
}

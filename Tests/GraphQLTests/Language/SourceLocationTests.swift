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

    /// In any order, and in the middle of characters and line ends too.
    @Test func manyAtOnceAreTheSame() {
        let source = Source("aß\r\n€😀b\n\n\u{FEFF}c\rd😀")
        let offsets = [7, 3, 30, 0, 4, 12, 5, 9, 3, 16, 22, -1, 1, 8, 25, 11]
        let locations = offsets.map { Location(offset: $0) }
        #expect(source.locations(of: locations) == locations.map(source.location(of:)))
        #expect(source.locations(of: []).isEmpty)
    }

    @Test func offsetsOutsideAreMovedIn() {
        #expect(location(Source("ab"), 100) == [1, 3])
        #expect(location(Source("ab"), -1) == [1, 1])
    }
}

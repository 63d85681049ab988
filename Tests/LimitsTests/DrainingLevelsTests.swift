import Testing

@testable import Limits

@Suite struct DrainingLevelsTests {
    @Test func levelsRiseAndDrain() {
        var levels = DrainingLevels(cellsPerRow: 1 << 12)
        #expect(levels.level(of: "a", at: 0) == 0)
        levels.add(60, to: "a", at: 0)
        levels.add(60, to: "a", at: 20)
        #expect(levels.level(of: "a", at: 20) == 100)
        #expect(levels.level(of: "b", at: 20) == 0)
        #expect(levels.level(of: "a", at: 119) == 1)
        #expect(levels.level(of: "a", at: 500) == 0)
    }

    /// A hundred times as many keys as there are cells: the memory stays, and no level is lost.
    @Test func noLevelIsForgotten() {
        var levels = DrainingLevels(cellsPerRow: 1 << 9)
        levels.add(1_000_000, to: -1, at: 0)
        for key in 0..<200_000 { levels.add(1, to: key, at: 0) }
        #expect(levels.level(of: -1, at: 0) >= 1_000_000)
    }

    /// As many busy keys as a twentieth of a row's cells: next to no other key is taken for a busy one.
    @Test func keysSeldomShareAllTheirCells() {
        var levels = DrainingLevels(cellsPerRow: 1 << 12)
        for key in 0..<200 { levels.add(1_000, to: key, at: 0) }
        let mistaken = (1_000..<11_000).count { levels.level(of: $0, at: 0) > 0 }
        #expect(mistaken < 50, "expected: less than one")
    }
}

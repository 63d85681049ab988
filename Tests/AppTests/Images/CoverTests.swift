import GraphQL
import Postgres
import Testing

@testable import App

@Suite struct CoverTests {
    private static func cover(_ category: Cover.Category, _ low: UInt64) -> String {
        Cover(category, of: TypeID(.thought, worldUUID(low))).svg
    }

    @Test(arguments: Cover.Category.allCases) func isTheSameForTheSameId(_ category: Cover.Category) {
        #expect(Self.cover(category, 1) == Self.cover(category, 1))
        let others = Set((1...100).map { Self.cover(category, $0) })
        #expect(others.count == 100)
    }

    @Test func categoriesDiffer() {
        #expect(Set(Cover.Category.allCases.map { Self.cover($0, 1) }).count == Cover.Category.allCases.count)
    }

    @Test(arguments: Cover.Category.allCases) func isLightAndHoldsNothingThatRuns(_ category: Cover.Category) {
        for low in 1...200 as ClosedRange<UInt64> {
            let svg = Self.cover(category, low)
            #expect(svg.utf8.count < 6000)
            #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
            #expect(!svg.contains("script") && !svg.contains("style") && !svg.dropFirst(40).contains("http"))
            #expect(svg.count { $0 == "<" } == svg.count { $0 == ">" })
        }
    }

    /// An address once given stays good: these are what caches hold.
    @Test func aPictureStaysAsItWas() {
        #expect(CoverRandom.first(10) == [963, 72, 83, 986, 212, 473, 760, 749, 569, 908])
    }
}

extension CoverRandom {
    fileprivate static func first(_ count: Int) -> [Int] {
        var random = CoverRandom(seed: worldUUID(1))
        return (0..<count).map { _ in random.number(in: 0...999) }
    }
}

import Limits
import Testing

struct BoundedCacheTests {
    @Test func keepsWhatIsUsed() {
        var cache = BoundedCache<Int, String>(count: 8, weight: 1000)
        cache.insert("hot", weight: 1, for: 0)
        for key in 1..<100 {
            cache.insert("\(key)", weight: 1, for: key)
            #expect(cache.find(0) == "hot")
        }
        #expect(cache.count <= 8)
        #expect(cache.find(1) == nil)
        #expect(cache.find(99) == "99")
    }

    @Test func isBoundedByWeight() {
        var cache = BoundedCache<Int, String>(weight: 100)
        for key in 0..<100 { cache.insert("", weight: 20, for: key) }
        #expect(cache.weight == 80)
        cache.insert("", weight: 51, for: 100)
        #expect(cache.find(100) == nil)
    }

    @Test func countsAReplacedValueOnce() {
        var cache = BoundedCache<Int, String>(weight: 100)
        for _ in 0..<10 { cache.insert("", weight: 20, for: 1) }
        #expect((cache.count, cache.weight) == (1, 20))
    }

    @Test func dropsWhatGrowsTooHeavy() {
        var cache = BoundedCache<Int, String>(weight: 100)
        cache.insert("", weight: 20, for: 1)
        cache.grow(1, by: 10)
        #expect(cache.weight == 30)
        cache.grow(1, by: 40)
        #expect(cache.find(1) == nil)
        #expect(cache.weight == 0)
    }

    @Test func emptiesItself() {
        var cache = BoundedCache<Int, String>(weight: 100)
        cache.insert("", weight: 20, for: 1)
        cache.removeAll()
        #expect((cache.count, cache.weight) == (0, 0))
    }
}

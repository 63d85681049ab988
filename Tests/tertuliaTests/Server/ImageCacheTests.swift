import Cryptography
import Hummingbird
import Testing

@testable import tertulia

@Suite struct ImageCacheTests {
    private func digest(_ number: Int) -> SHA256Digest { SHA256.digest(of: "\(number)") }
    private func bytes(_ count: Int) -> ByteBuffer { ByteBuffer(repeating: 1, count: count) }

    @Test func whatWasUsedLastStays() {
        let cache = ImageCache(capacity: 80)
        for number in 0..<8 { cache.insert(bytes(10), for: digest(number)) }
        #expect(cache.byteCount == 80)
        #expect(cache[digest(0)] == bytes(10))
        cache.insert(bytes(10), for: digest(8))
        #expect(cache.byteCount <= 80)
        #expect(cache[digest(0)] != nil)
        #expect(cache[digest(1)] == nil)
        #expect(cache[digest(8)] != nil)
    }

    @Test func theSameTwiceCountsOnce() {
        let cache = ImageCache(capacity: 80)
        for _ in 0..<20 { cache.insert(bytes(30), for: digest(1)) }
        #expect(cache.byteCount == 30)
    }

    @Test func whatIsLargerThanAllOfItIsLeftOut() {
        let cache = ImageCache(capacity: 80)
        cache.insert(bytes(81), for: digest(1))
        #expect(cache.byteCount == 0)
        #expect(cache[digest(1)] == nil)
    }
}

import Cryptography
import Hummingbird
import Limits
import Synchronization

/// A cache of images' bytes by their digests, with the least recently used ones evicted. An entry never becomes stale,
/// because its digest determines its bytes.
final class ImageCache: Sendable {
    private let images: Mutex<BoundedCache<SHA256Digest, ByteBuffer>>

    /// In bytes.
    let capacity: Int
    private let hits = Atomic(0)
    private let misses = Atomic(0)

    /// - Parameter capacity: in bytes.
    init(capacity: Int = 32 << 20) {
        images = Mutex(BoundedCache(weight: capacity))
        self.capacity = capacity
    }

    subscript(digest: SHA256Digest) -> ByteBuffer? {
        let found = images.withLock { $0.find(digest) }
        if found == nil { misses.add(1, ordering: .relaxed) } else { hits.add(1, ordering: .relaxed) }
        return found
    }

    var lookups: (hits: Int, misses: Int) { (hits.load(ordering: .relaxed), misses.load(ordering: .relaxed)) }

    func insert(_ bytes: ByteBuffer, for digest: SHA256Digest) {
        images.withLock { $0.insert(bytes, weight: bytes.readableBytes, for: digest) }
    }

    var byteCount: Int { images.withLock { $0.weight } }
}

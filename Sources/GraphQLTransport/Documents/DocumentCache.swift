import GraphQL
import Limits
import Synchronization

/// The cache of valid documents by their text. It has several shards, so that a look-up holds the lock of one of them
/// only.
final class DocumentCache<Context: ExecutionContext>: Sendable {
    private final class Shard: Sendable {
        let documents: Mutex<BoundedCache<Int, CachedDocument<Context>>>

        init(count: Int, bytes: Int) { documents = Mutex(BoundedCache(count: count, weight: bytes)) }
    }

    private let shards: [Shard]
    let hits = Counter()
    let misses = Counter()

    /// - Parameters:
    ///   - count: the greatest number of documents.
    ///   - bytes: the greatest number of bytes of memory that the documents take, with texts, trees and plans.
    init(count: Int, bytes: Int, shards: Int = 4) {
        self.shards = (0..<shards).map { _ in Shard(count: count / shards, bytes: bytes / shards) }
    }

    /// The cached document of that text; made by `prepare` and added where the cache has none.
    func document(
        for text: String, prepare: (String) throws(RequestError) -> CachedDocument<Context>
    ) throws(RequestError) -> CachedDocument<Context> {
        let key = hash(of: text)
        let shard = shards[Int(UInt(bitPattern: key) % UInt(shards.count))]
        if let known = shard.documents.withLock({ $0.find(key) }), known.hasText(text) {
            hits.increment()
            return known
        }
        misses.increment()
        let document = try prepare(text)
        shard.documents.withLock { documents in
            let size = document.heapSize.observe { [weak shard] growth in
                shard?.documents.withLock { $0.grow(key, by: growth) }
            }
            documents.insert(document, weight: size, for: key)
        }
        return document
    }

    /// The hash is seeded anew in each process, so that no client can construct texts that collide.
    private func hash(of text: String) -> Int {
        var hasher = Hasher()
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        return hasher.finalize()
    }

    var count: Int { shards.reduce(0) { sum, shard in sum + shard.documents.withLock { $0.count } } }

    /// The bytes of memory that all documents take.
    var size: Int { shards.reduce(0) { sum, shard in sum + shard.documents.withLock { $0.weight } } }
}

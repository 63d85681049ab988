import GraphQL
import Limits
import Synchronization

/// The cache of valid documents by their text. The cache has several shards with a lock each, so that look-ups in
/// different shards do not wait for each other.
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
    ///   - bytes: the greatest number of bytes of memory that the documents take with their texts, syntax trees and
    ///     plans.
    init(count: Int, bytes: Int, shards: Int = 4) {
        self.shards = (0..<shards).map { _ in Shard(count: count / shards, bytes: bytes / shards) }
    }

    /// The document with this text. A document that is not in the cache is made by `prepare` and added.
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
            // The document may go on growing after another document has taken its key, such as one of the same text
            // that was prepared at the same time, or anew after an eviction. The identity keeps the growth from being
            // counted for the other document.
            let identity = ObjectIdentifier(document.heapSize)
            let size = document.heapSize.observe { [weak shard] growth in
                shard?.documents.withLock { documents in
                    documents.grow(key, by: growth) { ObjectIdentifier($0.heapSize) == identity }
                }
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

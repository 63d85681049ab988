import GraphQL
import Limits
import Synchronization

/// The cache of valid documents by their text. A hit is one look-up under a short lock of one of several shards.
final class DocumentCache<Context: ExecutionContext>: Sendable {
    private final class Shard: Sendable {
        let documents: Mutex<BoundedCache<Int, CachedDocument<Context>>>

        init(count: Int, bytes: Int) { documents = Mutex(BoundedCache(count: count, weight: bytes)) }
    }

    private let shards: [Shard]
    let hits = Counter()
    let misses = Counter()

    /// - Parameters:
    ///   - count: how many documents are kept at most.
    ///   - bytes: of memory that they hold together at most: texts, trees and plans.
    init(count: Int, bytes: Int, shards: Int = 4) {
        self.shards = (0..<shards).map { _ in Shard(count: count / shards, bytes: bytes / shards) }
    }

    /// The document of that text, made by `prepare` unless it is kept.
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

    /// Seeded anew in each process, so that nobody can prepare texts that collide.
    private func hash(of text: String) -> Int {
        var hasher = Hasher()
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        return hasher.finalize()
    }

    var count: Int { shards.reduce(0) { sum, shard in sum + shard.documents.withLock { $0.count } } }

    /// Bytes of memory.
    var size: Int { shards.reduce(0) { sum, shard in sum + shard.documents.withLock { $0.weight } } }
}

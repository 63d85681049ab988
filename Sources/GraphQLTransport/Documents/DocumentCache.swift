import GraphQL
import Synchronization

/// Valid documents by their text. A hit is one look-up under a short lock of one of several shards.
///
/// Each shard keeps two generations: what is used moves to the young one; when that is full, it becomes the old one and
/// what was old is gone. So what is used stays, at no cost of keeping an order.
final class DocumentCache<Context: ExecutionContext>: Sendable {
    private struct Generations {
        var young: [Int: CachedDocument<Context>] = [:]
        var old: [Int: CachedDocument<Context>] = [:]
        var youngBytes = 0
    }

    private final class Shard: Sendable {
        let generations = Mutex(Generations())
    }

    private let shards: [Shard]
    private let maxCount: Int
    private let maxBytes: Int
    let hits = Counter()
    let misses = Counter()

    /// - Parameters:
    ///   - count: how many documents are kept at most.
    ///   - bytes: of all their texts together, at most.
    init(count: Int, bytes: Int, shards: Int = 8) {
        self.shards = (0..<shards).map { _ in Shard() }
        maxCount = max(1, count / shards / 2)
        maxBytes = bytes / shards / 2
    }

    /// The document of that text, made by `prepare` unless it is kept.
    func document(
        for text: String, prepare: (String) throws(RequestError) -> CachedDocument<Context>
    ) throws(RequestError) -> CachedDocument<Context> {
        let key = hash(of: text)
        let shard = shards[Int(UInt(bitPattern: key) % UInt(shards.count))]
        if let known = shard.generations.withLock({ find(key, text, &$0) }) {
            hits.increment()
            return known
        }
        misses.increment()
        let document = try prepare(text)
        shard.generations.withLock { keep(document, key, &$0) }
        return document
    }

    private func find(_ key: Int, _ text: String, _ generations: inout Generations) -> CachedDocument<Context>? {
        if let document = generations.young[key] { return document.hasText(text) ? document : nil }
        guard let document = generations.old[key], document.hasText(text) else { return nil }
        generations.old[key] = nil
        keep(document, key, &generations)
        return document
    }

    private func keep(_ document: CachedDocument<Context>, _ key: Int, _ generations: inout Generations) {
        guard document.size <= maxBytes else { return }
        if generations.young.count >= maxCount || generations.youngBytes + document.size > maxBytes {
            generations.old = generations.young
            generations.young = [:]
            generations.youngBytes = 0
        }
        let replaced = generations.young.updateValue(document, forKey: key)
        generations.youngBytes += document.size - (replaced?.size ?? 0)
    }

    /// Seeded anew in each process, so that nobody can prepare texts that collide.
    private func hash(of text: String) -> Int {
        var hasher = Hasher()
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        return hasher.finalize()
    }

    var count: Int {
        shards.reduce(0) { sum, shard in sum + shard.generations.withLock { $0.young.count + $0.old.count } }
    }

    /// Bytes of the texts.
    var size: Int {
        shards.reduce(0) { sum, shard in
            sum + shard.generations.withLock { $0.old.values.reduce($0.youngBytes) { $0 + $1.size } }
        }
    }
}

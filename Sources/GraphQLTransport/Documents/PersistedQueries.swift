import GraphQL
import Synchronization

/// Valid documents that clients sent together with their digest. What is used stays: see `DocumentCache`.
final class PersistedQueries<Context: ExecutionContext>: Sendable {
    private struct Generations {
        var young: [String: CachedDocument<Context>] = [:]
        var old: [String: CachedDocument<Context>] = [:]
        var youngBytes = 0
    }

    private let generations = Mutex(Generations())
    private let maxCount: Int
    private let maxBytes: Int

    /// - Parameters:
    ///   - count: how many documents are kept at most.
    ///   - bytes: of all their texts together, at most.
    init(count: Int, bytes: Int) {
        maxCount = max(1, count / 2)
        maxBytes = bytes / 2
    }

    subscript(hash: String) -> CachedDocument<Context>? {
        generations.withLock { generations in
            if let document = generations.young[hash] { return document }
            guard let document = generations.old.removeValue(forKey: hash) else { return nil }
            keep(document, &generations)
            return document
        }
    }

    func insert(_ document: CachedDocument<Context>) {
        generations.withLock { generations in
            if generations.young[document.hash] == nil { keep(document, &generations) }
        }
    }

    private func keep(_ document: CachedDocument<Context>, _ generations: inout Generations) {
        guard document.size <= maxBytes else { return }
        if generations.young.count >= maxCount || generations.youngBytes + document.size > maxBytes {
            generations.old = generations.young
            generations.young = [:]
            generations.youngBytes = 0
        }
        generations.young[document.hash] = document
        generations.youngBytes += document.size
    }

    var count: Int { generations.withLock { $0.young.count + $0.old.count } }
}

import Limits
import Synchronization

/// The cache of automatic persisted queries: the texts of valid documents by their digests. Parsed documents are only
/// in `DocumentCache`, so that each cache counts exactly the memory that it holds.
final class PersistedQueries: Sendable {
    private let texts: Mutex<BoundedCache<String, String>>
    /// The estimated bytes of an entry besides its text: the heap blocks of two strings, and a slot in a hash table.
    private static let entrySize = 64 + 256

    /// - Parameters:
    ///   - count: the greatest number of texts.
    ///   - bytes: the greatest number of bytes of memory that the texts take.
    init(count: Int, bytes: Int) { texts = Mutex(BoundedCache(count: count, weight: bytes)) }

    /// - Parameter hash: the SHA-256 of the text, in lower-case hexadecimal.
    subscript(hash: String) -> String? { texts.withLock { $0.find(hash) } }

    func insert(_ text: String, hash: String) {
        texts.withLock { texts in
            if texts.find(hash) == nil { texts.insert(text, weight: text.utf8.count + Self.entrySize, for: hash) }
        }
    }

    var count: Int { texts.withLock { $0.count } }

    /// The bytes of memory that all entries take.
    var size: Int { texts.withLock { $0.weight } }
}

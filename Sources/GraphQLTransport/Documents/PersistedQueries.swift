import Limits
import Synchronization

/// The texts of valid documents that clients sent together with their digest. What was made of them is the
/// `DocumentCache`'s to keep: so nothing is counted by one and held by the other.
final class PersistedQueries: Sendable {
    private let texts: Mutex<BoundedCache<String, String>>
    /// The bytes of an entry besides its text: the heap blocks of two strings, and a place in a table.
    private static let entrySize = 64 + 256

    /// - Parameters:
    ///   - count: how many documents are kept at most.
    ///   - bytes: of memory that they hold together at most.
    init(count: Int, bytes: Int) { texts = Mutex(BoundedCache(count: count, weight: bytes)) }

    /// - Parameter hash: the SHA-256 of the text, in lower-case hexadecimal.
    subscript(hash: String) -> String? { texts.withLock { $0.find(hash) } }

    func insert(_ text: String, hash: String) {
        texts.withLock { texts in
            if texts.find(hash) == nil { texts.insert(text, weight: text.utf8.count + Self.entrySize, for: hash) }
        }
    }

    var count: Int { texts.withLock { $0.count } }

    /// Bytes of memory.
    var size: Int { texts.withLock { $0.weight } }
}

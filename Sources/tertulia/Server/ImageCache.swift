import Cryptography
import Hummingbird
import Synchronization

/// A cache of images' bytes by their digests, with the least recently used ones evicted. An entry never becomes stale,
/// because its digest determines its bytes.
final class ImageCache: Sendable {
    private struct Entry {
        let bytes: ByteBuffer
        var lastUse: UInt64
    }

    private struct State {
        var entries: [SHA256Digest: Entry] = [:]
        var byteCount = 0
        var clock: UInt64 = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: in bytes.
    init(capacity: Int = 32 << 20) { self.capacity = capacity }

    subscript(digest: SHA256Digest) -> ByteBuffer? {
        state.withLock { state in
            guard let bytes = state.entries[digest]?.bytes else { return nil }
            state.clock += 1
            state.entries[digest]?.lastUse = state.clock
            return bytes
        }
    }

    func insert(_ bytes: ByteBuffer, for digest: SHA256Digest) {
        guard bytes.readableBytes <= capacity else { return }
        state.withLock { state in
            state.clock += 1
            let replaced = state.entries.updateValue(Entry(bytes: bytes, lastUse: state.clock), forKey: digest)
            state.byteCount += bytes.readableBytes - (replaced?.bytes.readableBytes ?? 0)
            if state.byteCount > capacity { Self.evict(from: &state, downTo: capacity / 8 * 7) }
        }
    }

    /// Evicts several entries at a time, because it sorts all of them by their last use.
    private static func evict(from state: inout State, downTo limit: Int) {
        for (digest, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard state.byteCount > limit else { return }
            state.entries[digest] = nil
            state.byteCount -= entry.bytes.readableBytes
        }
    }

    var byteCount: Int { state.withLock { $0.byteCount } }
}

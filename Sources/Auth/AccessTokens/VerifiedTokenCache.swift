import Cryptography
import Limits
import Synchronization

/// Caches verified tokens until they expire: a look-up instead of a signature check of 64 µs. Refused tokens are not
/// cached, so forged ones take no room. The cache is bounded by two generations a shard: when the younger is full it
/// becomes the older, and an entry of the older moves back when it is used.
///
/// The cache does not know revocation: ask `RevokedSessions` for every request.
public final class VerifiedTokenCache: Sendable {
    private final class Shard: Sendable {
        let verified: Mutex<BoundedCache<SHA256Digest, AccessTokenClaims>>

        init(count: Int, bytes: Int) { verified = Mutex(BoundedCache(count: count, weight: bytes)) }
    }

    private static let shardCount = 16

    private let tokens: AccessTokens
    private let shards: [Shard]

    /// - Parameters:
    ///   - capacity: the number of tokens, rounded up to a multiple of 32.
    ///   - bytes: the memory that all cached claims may take.
    public init(_ tokens: AccessTokens, capacity: Int = 10_000, bytes: Int = 8 << 20) {
        self.tokens = tokens
        let count = 2 * ((capacity + 2 * Self.shardCount - 1) / (2 * Self.shardCount))
        shards = (0..<Self.shardCount).map { _ in Shard(count: count, bytes: bytes / Self.shardCount) }
    }

    /// - Parameter now: seconds since 1970.
    public func verify(_ token: String, now: Int64) throws(AccessTokenError) -> AccessTokenClaims {
        guard token.utf8.count <= AccessTokens.maximumByteCount else { throw .malformed }
        // The key is a digest, so that the cache holds no tokens and the time of a comparison reveals nothing about
        // them.
        let digest = SHA256.digest(of: token)
        let shard = shards[digest.withUnsafeBytes { Int($0[0]) } % Self.shardCount]
        if let claims = shard.verified.withLock({ $0.find(digest) }) {
            try tokens.check(claims, now: now)
            return claims
        }
        let claims = try tokens.verify(token, now: now)
        shard.verified.withLock { $0.insert(claims, weight: claims.heapSize + Self.entrySize, for: digest) }
        return claims
    }

    /// Call this when keys were removed before they retire: tokens that they signed must not stay valid through the
    /// cache.
    public func removeAll() {
        for shard in shards { shard.verified.withLock { $0.removeAll() } }
    }

    var count: Int { shards.reduce(0) { sum, shard in sum + shard.verified.withLock { $0.count } } }

    /// The bytes of an entry in a dictionary that is filled to three quarters.
    private static var entrySize: Int {
        (MemoryLayout<SHA256Digest>.stride + MemoryLayout<AccessTokenClaims>.stride + MemoryLayout<Int>.stride) * 4 / 3
            + 1
    }
}

extension AccessTokenClaims {
    /// The bytes of the claims' strings on the heap, with the blocks' headers. A string of up to 15 bytes is stored
    /// inline.
    fileprivate var heapSize: Int {
        [subject, session, role ?? "", id].reduce(0) { size, text in
            let count = text.utf8.count
            return count > 15 ? size + count + 48 : size
        }
    }
}

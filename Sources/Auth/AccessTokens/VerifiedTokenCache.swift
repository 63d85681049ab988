import Cryptography
import Synchronization

/// Caches verified tokens until they expire: a look-up instead of a signature check of 64 µs. Refused tokens are not
/// cached, so forged ones take no room. The cache is bounded by two generations a shard: when the younger is full it
/// becomes the older, and an entry of the older moves back when it is used.
///
/// The cache does not know revocation: ask `RevokedSessions` for every request.
public final class VerifiedTokenCache: Sendable {
    private struct Generations {
        var younger: [SHA256Digest: AccessTokenClaims] = [:]
        var older: [SHA256Digest: AccessTokenClaims] = [:]
        var youngerBytes = 0
    }

    private final class Shard: Sendable {
        let generations = Mutex(Generations())
    }

    private static let shardCount = 16

    private let tokens: AccessTokens
    private let generationCapacity: Int
    private let generationBytes: Int
    private let shards: [Shard]

    /// - Parameters:
    ///   - capacity: the number of tokens, rounded up to a multiple of 32.
    ///   - bytes: the memory that all cached claims may take.
    public init(_ tokens: AccessTokens, capacity: Int = 10_000, bytes: Int = 8 << 20) {
        self.tokens = tokens
        generationCapacity = max(1, (capacity + 2 * Self.shardCount - 1) / (2 * Self.shardCount))
        generationBytes = bytes / (2 * Self.shardCount)
        shards = (0..<Self.shardCount).map { _ in Shard() }
    }

    /// - Parameter now: seconds since 1970.
    public func verify(_ token: String, now: Int64) throws(AccessTokenError) -> AccessTokenClaims {
        guard token.utf8.count <= AccessTokens.maximumByteCount else { throw .malformed }
        // The key is a digest, so that the cache holds no tokens and the time of a comparison reveals nothing about
        // them.
        let digest = SHA256.digest(of: token)
        let shard = shards[digest.withUnsafeBytes { Int($0[0]) } % Self.shardCount]
        if let claims = lookUp(digest, in: shard) {
            try tokens.check(claims, now: now)
            return claims
        }
        let claims = try tokens.verify(token, now: now)
        shard.generations.withLock { insert(claims, for: digest, into: &$0) }
        return claims
    }

    /// Call this when keys were removed before they retire: tokens that they signed must not stay valid through the
    /// cache.
    public func removeAll() {
        for shard in shards { shard.generations.withLock { $0 = Generations() } }
    }

    var count: Int {
        shards.reduce(0) { $0 + $1.generations.withLock { $0.younger.count + $0.older.count } }
    }

    private func lookUp(_ digest: SHA256Digest, in shard: Shard) -> AccessTokenClaims? {
        shard.generations.withLock { generations in
            if let claims = generations.younger[digest] { return claims }
            guard let claims = generations.older.removeValue(forKey: digest) else { return nil }
            insert(claims, for: digest, into: &generations)
            return claims
        }
    }

    private func insert(_ claims: AccessTokenClaims, for digest: SHA256Digest, into generations: inout Generations) {
        let size = claims.heapSize + Self.entrySize
        if generations.younger.count >= generationCapacity || generations.youngerBytes + size > generationBytes {
            generations.older = generations.younger
            generations.younger = [:]
            generations.youngerBytes = 0
        }
        guard generations.younger.updateValue(claims, forKey: digest) == nil else { return }
        generations.youngerBytes += size
    }

    /// The bytes of an entry in a dictionary that is filled to three quarters.
    private static var entrySize: Int {
        (MemoryLayout<SHA256Digest>.stride + MemoryLayout<AccessTokenClaims>.stride) * 4 / 3 + 1
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

import Cryptography
import Limits
import Synchronization

/// Caches verified tokens: a look-up instead of a signature check of 64 µs. Each look-up checks the token's times anew.
/// Refused tokens are not cached, so forged ones take no room.
///
/// The cache does not know revocation: ask `RevokedSessions` for every request.
public final class VerifiedTokenCache: Sendable {
    private struct Verified: ~Copyable {
        var claims: BoundedCache<SHA256Digest, AccessTokenClaims>
        /// The value of `AccessTokens.removals` before all of `claims` were verified.
        var removals = 0

        /// A token that a removed key signed is no longer valid, and a token does not say which key verified it.
        mutating func forget(unless removals: Int) {
            if self.removals == removals { return }
            claims.removeAll()
            self.removals = removals
        }
    }

    private final class Shard: Sendable {
        let verified: Mutex<Verified>

        init(count: Int, bytes: Int) { verified = Mutex(Verified(claims: BoundedCache(count: count, weight: bytes))) }
    }

    private static let shardCount = 16

    private let tokens: AccessTokens
    private let shards: [Shard]
    /// The most bytes of memory that all cached claims may take.
    public let capacity: Int

    /// - Parameters:
    ///   - capacity: the number of tokens, rounded up to a multiple of 32.
    ///   - bytes: the memory that all cached claims may take.
    public init(_ tokens: AccessTokens, capacity: Int = 10_000, bytes: Int = 8 << 20) {
        self.tokens = tokens
        self.capacity = bytes
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
        let removals = tokens.removals
        let known = shard.verified.withLock { verified in
            verified.forget(unless: removals)
            return verified.claims.find(digest)
        }
        if let known {
            try tokens.check(known, now: now)
            return known
        }
        let claims = try tokens.verify(token, now: now)
        shard.verified.withLock { verified in
            // A key may have been removed meanwhile.
            guard verified.removals == removals else { return }
            verified.claims.insert(claims, weight: claims.heapSize + Self.entrySize, for: digest)
        }
        return claims
    }

    func contains(_ token: String) -> Bool {
        let digest = SHA256.digest(of: token)
        return shards.contains { $0.verified.withLock { $0.claims.find(digest) } != nil }
    }

    var count: Int { shards.reduce(0) { sum, shard in sum + shard.verified.withLock { $0.claims.count } } }

    /// The bytes of memory that all cached claims take.
    public var size: Int { shards.reduce(0) { sum, shard in sum + shard.verified.withLock { $0.claims.weight } } }

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

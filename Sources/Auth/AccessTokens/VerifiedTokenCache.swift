import Cryptography
import Limits
import Synchronization

/// Remembers tokens that were verified, until they expire: a look-up instead of a signature's 64 µs. Refusals are not
/// remembered, so forged tokens take no room.
///
/// Revocation is not its business: ask `RevokedSessions` for every request.
public final class VerifiedTokenCache: Sendable {
    private final class Shard: Sendable {
        let verified: Mutex<BoundedCache<SHA256Digest, AccessTokenClaims>>

        init(count: Int, bytes: Int) { verified = Mutex(BoundedCache(count: count, weight: bytes)) }
    }

    private static let shardCount = 16

    private let tokens: AccessTokens
    private let shards: [Shard]

    /// - Parameters:
    ///   - capacity: how many tokens are held at most, rounded up to a multiple of 32.
    ///   - bytes: of memory that their claims take at most.
    public init(_ tokens: AccessTokens, capacity: Int = 10_000, bytes: Int = 8 << 20) {
        self.tokens = tokens
        let count = 2 * ((capacity + 2 * Self.shardCount - 1) / (2 * Self.shardCount))
        shards = (0..<Self.shardCount).map { _ in Shard(count: count, bytes: bytes / Self.shardCount) }
    }

    /// - Parameter now: seconds since 1970.
    public func verify(_ token: String, now: Int64) throws(AccessTokenError) -> AccessTokenClaims {
        guard token.utf8.count <= AccessTokens.maximumByteCount else { throw .malformed }
        // By digest: the tokens themselves need not stay in memory, and a comparison's time tells nothing of them.
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

    /// After keys were removed before their time: their tokens must not live on here.
    public func removeAll() {
        for shard in shards { shard.verified.withLock { $0.removeAll() } }
    }

    var count: Int { shards.reduce(0) { sum, shard in sum + shard.verified.withLock { $0.count } } }

    /// Of a place in a table that is filled to three quarters.
    private static var entrySize: Int {
        (MemoryLayout<SHA256Digest>.stride + MemoryLayout<AccessTokenClaims>.stride + MemoryLayout<Int>.stride) * 4 / 3
            + 1
    }
}

extension AccessTokenClaims {
    /// The bytes of its texts on the heap, with the blocks' headers; a text of up to 15 bytes has none.
    fileprivate var heapSize: Int {
        [subject, session, role ?? "", id].reduce(0) { size, text in
            let count = text.utf8.count
            return count > 15 ? size + count + 48 : size
        }
    }
}

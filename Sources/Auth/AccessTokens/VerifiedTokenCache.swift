import Cryptography
import Synchronization

/// Remembers tokens that were verified, until they expire: a look-up instead of a signature's 64 µs. Refusals are not
/// remembered, so forged tokens take no room. Bounded by two generations a shard: when the younger is full it becomes
/// the older, whose entries move back as they are used.
///
/// Revocation is not its business: ask `RevokedSessions` for every request.
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
    ///   - capacity: how many tokens are held at most, rounded up to a multiple of 32.
    ///   - bytes: of memory that their claims take at most.
    public init(_ tokens: AccessTokens, capacity: Int = 10_000, bytes: Int = 8 << 20) {
        self.tokens = tokens
        generationCapacity = max(1, (capacity + 2 * Self.shardCount - 1) / (2 * Self.shardCount))
        generationBytes = bytes / (2 * Self.shardCount)
        shards = (0..<Self.shardCount).map { _ in Shard() }
    }

    /// - Parameter now: seconds since 1970.
    public func verify(_ token: String, now: Int64) throws(AccessTokenError) -> AccessTokenClaims {
        guard token.utf8.count <= AccessTokens.maximumByteCount else { throw .malformed }
        // By digest: the tokens themselves need not stay in memory, and a comparison's time tells nothing of them.
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

    /// After keys were removed before their time: their tokens must not live on here.
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

    /// Of a place in a table that is filled to three quarters.
    private static var entrySize: Int {
        (MemoryLayout<SHA256Digest>.stride + MemoryLayout<AccessTokenClaims>.stride) * 4 / 3 + 1
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

import Cryptography

public enum RefreshDecision: Sendable, Equatable {
    /// Store this row and answer with the presented token's child.
    case rotate(RefreshTokenRow)
    /// Answer with the presented token's child, which exists already; nothing is stored.
    case repeatChild
    /// An older token was used again: end the session (RFC 9700, section 4.14.2).
    case revokeFamily
    /// The session idled too long or is too old.
    case expired
    case revoked
}

/// The rule by which refresh tokens follow one another. A token's child is derived from it, so an answer that was
/// lost can be asked for again, by two tabs or through two replicas, without a second branch ever growing.
public struct RefreshRotation: Sendable {
    /// All in seconds.
    public let idleLifetime: Int64
    public let absoluteLifetime: Int64
    /// How long a token is accepted after its child has been used.
    public let overlap: Int64

    public init(
        idleLifetime: Int64 = 30 * 86_400, absoluteLifetime: Int64 = 180 * 86_400, overlap: Int64 = 30
    ) {
        self.idleLifetime = idleLifetime
        self.absoluteLifetime = absoluteLifetime
        self.overlap = overlap
    }

    /// - Parameters:
    ///   - presented: the hash of the token that came.
    ///   - child: the hash of the token that is derived from it.
    ///   - row: the row of its family.
    ///   - now: seconds since 1970.
    public func decide(
        presented: SHA256Digest, child: SHA256Digest, row: RefreshTokenRow, now: Int64
    ) -> RefreshDecision {
        if row.revokedAt != nil { return .revoked }
        if now >= row.createdAt + absoluteLifetime || now >= row.rotatedAt + idleLifetime { return .expired }
        if child == row.current { return .repeatChild }
        // The parent comes here only when the server's key has changed: its child is then another than was issued.
        if presented == row.current || presented == row.parent {
            var next = row
            next.parent = presented
            next.current = child
            next.rotatedAt = now
            return .rotate(next)
        }
        // The parent's parent: its child was first used when the row was last rotated.
        if child == row.parent, now <= row.rotatedAt + overlap { return .repeatChild }
        return .revokeFamily
    }
}

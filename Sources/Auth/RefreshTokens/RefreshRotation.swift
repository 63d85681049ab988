import Cryptography

/// The action for a presented refresh token.
public enum RefreshDecision: Sendable, Equatable {
    /// Store this row and answer with the presented token's child.
    case rotate(RefreshTokenRow)
    /// Answer with the presented token's child, which exists already; nothing is stored.
    case repeatChild
    /// A token older than the rule allows was used again: end the session (RFC 9700, section 4.14.2).
    case revokeFamily
    /// The session was idle for too long, or is too old.
    case expired
    /// The session has been revoked.
    case revoked
}

/// Decides about a presented refresh token. A token's child is derived from it, so a client whose response was lost can
/// ask again, from a second tab or of another replica, and gets the same child: the family stays a single chain.
public struct RefreshRotation: Sendable {
    /// The lifetime without a refresh, in seconds.
    public let idleLifetime: Int64
    /// The lifetime from the session's beginning on, in seconds.
    public let absoluteLifetime: Int64
    /// A token is accepted for this long after its child was first used, in seconds.
    public let overlap: Int64

    public init(
        idleLifetime: Int64 = 30 * 86_400, absoluteLifetime: Int64 = 180 * 86_400, overlap: Int64 = 30
    ) {
        self.idleLifetime = idleLifetime
        self.absoluteLifetime = absoluteLifetime
        self.overlap = overlap
    }

    /// - Parameters:
    ///   - presented: the hash of the token that the client sent.
    ///   - child: the hash of the token derived from the presented one.
    ///   - row: the stored row of the token's family.
    ///   - now: seconds since 1970.
    public func decide(
        presented: SHA256Digest, child: SHA256Digest, row: RefreshTokenRow, now: Int64
    ) -> RefreshDecision {
        if row.revokedAt != nil { return .revoked }
        if now >= row.createdAt + absoluteLifetime || now >= row.rotatedAt + idleLifetime { return .expired }
        if child == row.current { return .repeatChild }
        // `presented == row.parent` is reached only if the server's key has changed: the derived child then differs
        // from the one that was issued.
        if presented == row.current || presented == row.parent {
            var next = row
            next.parent = presented
            next.current = child
            next.rotatedAt = now
            return .rotate(next)
        }
        // The presented token is the grandparent of `current`: its child was first used when the row was last rotated.
        if child == row.parent, now <= row.rotatedAt + overlap { return .repeatChild }
        return .revokeFamily
    }
}

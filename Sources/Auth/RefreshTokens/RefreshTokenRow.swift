import Cryptography

/// The stored state of a session's refresh tokens: the hashes of the newest token and of its parent. Times are seconds
/// since 1970.
public struct RefreshTokenRow: Sendable, Equatable {
    /// nil before the first refresh.
    public var parent: SHA256Digest?
    /// The hash of the newest token.
    public var current: SHA256Digest
    /// When the session began.
    public let createdAt: Int64
    /// When `current` was issued, which is also when `parent` was first presented. Equal to `createdAt` before the
    /// first refresh.
    public var rotatedAt: Int64
    /// nil while the session is not revoked.
    public var revokedAt: Int64?

    public init(
        parent: SHA256Digest? = nil, current: SHA256Digest, createdAt: Int64, rotatedAt: Int64? = nil,
        revokedAt: Int64? = nil
    ) {
        self.parent = parent
        self.current = current
        self.createdAt = createdAt
        self.rotatedAt = rotatedAt ?? createdAt
        self.revokedAt = revokedAt
    }
}

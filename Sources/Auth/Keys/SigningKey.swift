import Cryptography

/// A key that signs access tokens. All times are seconds since 1970.
public struct SigningKey: Sendable {
    /// The key's thumbprint (RFC 7638), so that a kid can never mean two keys.
    public let kid: String
    public let privateKey: Ed25519PrivateKey
    public let createdAt: Int64
    /// The key signs from this time on; it is published from `createdAt` on.
    public let activeFrom: Int64
    /// From this time on the key's tokens are refused. nil while no later key exists.
    public let retireAt: Int64?

    public init(privateKey: Ed25519PrivateKey, createdAt: Int64, activeFrom: Int64, retireAt: Int64? = nil) {
        kid = JSONWebKey.thumbprint(of: privateKey.publicKey)
        self.privateKey = privateKey
        self.createdAt = createdAt
        self.activeFrom = activeFrom
        self.retireAt = retireAt
    }

    func retiring(at time: Int64) -> SigningKey {
        SigningKey(privateKey: privateKey, createdAt: createdAt, activeFrom: activeFrom, retireAt: time)
    }
}

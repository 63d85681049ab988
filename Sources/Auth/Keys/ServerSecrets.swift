import Cryptography

/// The server's keys for HMAC-SHA256, 256 bits each, one a purpose.
public struct ServerSecrets: Sendable {
    /// Derives each refresh token from its parent.
    public let refreshToken: [UInt8]
    /// Hashes the inputs of mutations that carry a clientMutationId. The keys of device tokens, of one-time tokens and
    /// of web push are derived from it.
    public let idempotency: [UInt8]
    /// Signs the addresses of images that are not public.
    public let imageSignature: [UInt8]

    /// nil unless each key has 32 bytes.
    public init?(refreshToken: [UInt8], idempotency: [UInt8], imageSignature: [UInt8]) {
        guard [refreshToken, idempotency, imageSignature].allSatisfy({ $0.count == 32 }) else { return nil }
        self.init(refreshToken, idempotency, imageSignature)
    }

    private init(_ refreshToken: [UInt8], _ idempotency: [UInt8], _ imageSignature: [UInt8]) {
        self.refreshToken = refreshToken
        self.idempotency = idempotency
        self.imageSignature = imageSignature
    }

    static func generate() -> ServerSecrets {
        ServerSecrets(SecureRandom.bytes(32), SecureRandom.bytes(32), SecureRandom.bytes(32))
    }
}

import Cryptography

/// The 256 bits in a link that resets a password or confirms an address. Only the hash is stored: the token is derived
/// from the name of what it is sent with, when that is sent, and is nowhere else.
public struct OneTimeToken: Sendable, Equatable {
    private let bytes: [UInt8]

    /// nil for what no server of this kind has issued.
    public init?(_ text: String) {
        guard text.utf8.count == 43, let bytes = Base64.url.decode(text), bytes.count == SHA256Digest.byteCount else {
            return nil
        }
        self.bytes = bytes
    }

    /// The same for the same name; without the key nobody can tell it.
    public init(named name: String, _ key: OneTimeTokenKey) {
        bytes = key.hmac.code(for: Array(name.utf8)).bytes
    }

    /// 43 characters of base64url.
    public var text: String { Base64.url.encode(bytes) }

    public var hash: SHA256Digest { SHA256.digest(of: bytes) }
}

/// The server's key that makes one-time tokens.
public struct OneTimeTokenKey: Sendable {
    let hmac: HMACSHA256

    /// A key of its own, derived from the one that hashes inputs (NIST SP 800-108).
    public init(_ secrets: ServerSecrets) {
        hmac = HMACSHA256(key: HMACSHA256(key: secrets.idempotency).code(for: Array("one-time token".utf8)).bytes)
    }
}

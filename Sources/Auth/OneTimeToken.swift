import Cryptography

/// The 256 secret bits in a mail's link that resets a password or confirms an address. The token is derived when its
/// mail is sent. Only its hash is stored.
public struct OneTimeToken: Sendable, Equatable {
    private let bytes: [UInt8]

    /// nil unless the text has the form of a token.
    public init?(_ text: String) {
        guard text.utf8.count == 43, let bytes = Base64.url.decode(text), bytes.count == SHA256Digest.byteCount else {
            return nil
        }
        self.bytes = bytes
    }

    /// The token is a function of the name and the key; without the key it cannot be computed.
    /// - Parameter name: the id of the mail and the number of the attempt to send it.
    public init(named name: String, _ key: OneTimeTokenKey) {
        bytes = key.hmac.code(for: Array(name.utf8)).bytes
    }

    /// 43 characters of base64url.
    public var text: String { Base64.url.encode(bytes) }

    /// The SHA-256 of the token's 32 bytes, which the database stores.
    public var hash: SHA256Digest { SHA256.digest(of: bytes) }
}

/// The server's key for one-time tokens.
public struct OneTimeTokenKey: Sendable {
    let hmac: HMACSHA256

    /// The key is derived from `ServerSecrets.idempotency` under a label, so that it differs from the keys of other
    /// purposes.
    public init(_ secrets: ServerSecrets) {
        hmac = HMACSHA256(key: HMACSHA256(key: secrets.idempotency).code(for: Array("one-time token".utf8)).bytes)
    }
}

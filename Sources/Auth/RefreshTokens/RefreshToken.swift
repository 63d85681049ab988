import Cryptography

/// An opaque refresh token (RFC 6749, section 1.5): `trt_` and, in base64url, 128 bits that identify the token's family
/// and 256 secret bits. All tokens of a session have one family, so that the reuse of even the oldest finds the session
/// to revoke.
public struct RefreshToken: Sendable, Equatable {
    static let prefix = "trt_"
    static let familyByteCount = 16
    static let secretByteCount = 32

    private let bytes: [UInt8]

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// The first token of a session.
    public static func random() -> RefreshToken {
        RefreshToken(bytes: SecureRandom.bytes(familyByteCount + secretByteCount))
    }

    /// nil unless the text has the form of a token.
    public init?(_ text: String) {
        guard text.utf8.count == Self.prefix.utf8.count + (Self.familyByteCount + Self.secretByteCount) / 3 * 4,
            text.utf8.starts(with: Self.prefix.utf8),
            let bytes = Base64.url.decode(text.utf8.dropFirst(Self.prefix.utf8.count))
        else { return nil }
        self.bytes = bytes
    }

    /// The token's text for the client.
    public var text: String { Self.prefix + Base64.url.encode(bytes) }

    /// 16 bytes, random for each session. The family is not the session's public id, so that knowing that id is not
    /// enough to end the session.
    public var family: [UInt8] { Array(bytes.prefix(Self.familyByteCount)) }

    /// The SHA-256 of the whole token, which the database stores. A slow hash is not needed for 256 random bits.
    public var hash: SHA256Digest { SHA256.digest(of: bytes) }

    /// The next token of the session: a function of this token and the key, so that every replica computes the same
    /// one.
    public func child(_ key: RefreshTokenKey) -> RefreshToken {
        RefreshToken(bytes: family + key.hmac.code(for: bytes).bytes)
    }
}

/// The server's key that derives each refresh token from its parent.
public struct RefreshTokenKey: Sendable {
    let hmac: HMACSHA256

    public init(_ secrets: ServerSecrets) { hmac = HMACSHA256(key: secrets.refreshToken) }
}

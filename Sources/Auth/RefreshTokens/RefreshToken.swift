import Cryptography

/// An opaque refresh token (RFC 6749, section 1.5): `trt_` and, in base64url, 128 bits that name the token's family
/// and 256 secret bits. The family stays the same in all tokens of a session, so that the reuse of even the oldest
/// finds what to revoke.
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

    /// nil for what no server of this kind has issued.
    public init?(_ text: String) {
        guard text.utf8.count == Self.prefix.utf8.count + (Self.familyByteCount + Self.secretByteCount) / 3 * 4,
            text.utf8.starts(with: Self.prefix.utf8),
            let bytes = Base64.url.decode(text.utf8.dropFirst(Self.prefix.utf8.count))
        else { return nil }
        self.bytes = bytes
    }

    public var text: String { Self.prefix + Base64.url.encode(bytes) }

    /// 16 bytes, random for each session and not its public id: who knows only that cannot end the session.
    public var family: [UInt8] { Array(bytes.prefix(Self.familyByteCount)) }

    /// What is stored: the SHA-256 of the whole token. Its 256 random bits need no slow hash.
    public var hash: SHA256Digest { SHA256.digest(of: bytes) }

    /// The same token for the same parent and key, whichever replica is asked, and however often.
    public func child(_ key: RefreshTokenKey) -> RefreshToken {
        RefreshToken(bytes: family + key.hmac.code(for: bytes).bytes)
    }
}

/// The server's key that derives each refresh token from its parent.
public struct RefreshTokenKey: Sendable {
    let hmac: HMACSHA256

    public init(_ secrets: ServerSecrets) { hmac = HMACSHA256(key: secrets.refreshToken) }
}

import Cryptography

/// The 256 random bits in a link that resets a password or confirms an address. Only the hash is stored.
public struct OneTimeToken: Sendable, Equatable {
    private static let byteCount = 32

    private let bytes: [UInt8]

    public static func random() -> OneTimeToken { OneTimeToken(bytes: SecureRandom.bytes(byteCount)) }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// nil for what no server of this kind has issued.
    public init?(_ text: String) {
        guard text.utf8.count == 43, let bytes = Base64.url.decode(text), bytes.count == Self.byteCount else {
            return nil
        }
        self.bytes = bytes
    }

    /// 43 characters of base64url.
    public var text: String { Base64.url.encode(bytes) }

    public var hash: SHA256Digest { SHA256.digest(of: bytes) }
}

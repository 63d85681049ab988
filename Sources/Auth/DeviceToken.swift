import Cryptography

/// Shows that a device has signed in to an account before. The text is `tdt_` and, in base64url, the account, the
/// session in which the token was issued, the generation of the account's device tokens, and an HMAC of all three. The
/// token is no credential: signing in still needs the password, but the attempts are counted apart from strangers'.
/// Raising the account's generation ends all its earlier tokens.
public struct DeviceToken: Sendable, Equatable {
    private static let prefix = "tdt_"
    private static let idByteCount = 16
    private static let signedByteCount = 2 * idByteCount + 4

    private let signed: [UInt8]
    private let code: [UInt8]

    /// - Parameters:
    ///   - account: the account's id, 16 bytes.
    ///   - device: 16 bytes that identify the device, such as its session's id.
    public init(account: [UInt8], device: [UInt8], generation: Int32, _ key: DeviceTokenKey) {
        precondition(account.count == Self.idByteCount && device.count == Self.idByteCount, "An id has 16 bytes.")
        signed = account + device + withUnsafeBytes(of: generation.bigEndian) { Array($0) }
        code = key.hmac.code(for: signed).bytes
    }

    /// nil for a text that was not signed with `key`.
    public init?(_ text: String, _ key: DeviceTokenKey) {
        let byteCount = Self.signedByteCount + SHA256Digest.byteCount
        guard text.utf8.count == Self.prefix.utf8.count + (byteCount * 4 + 2) / 3,
            text.utf8.starts(with: Self.prefix.utf8),
            let bytes = Base64.url.decode(text.utf8.dropFirst(Self.prefix.utf8.count)), bytes.count == byteCount
        else { return nil }
        signed = Array(bytes.prefix(Self.signedByteCount))
        code = Array(bytes.dropFirst(Self.signedByteCount))
        guard key.hmac.isValid(code, for: signed) else { return nil }
    }

    /// The token's text for the client.
    public var text: String { Self.prefix + Base64.url.encode(signed + code) }

    /// The 16 bytes that identify the device.
    public var device: [UInt8] { Array(signed[Self.idByteCount..<2 * Self.idByteCount]) }

    /// True where the token is for this account and generation.
    public func isOf(account: [UInt8], generation: Int32) -> Bool {
        signed.prefix(Self.idByteCount).elementsEqual(account)
            && signed.suffix(4).elementsEqual(withUnsafeBytes(of: generation.bigEndian) { Array($0) })
    }
}

/// The server's key for device tokens.
public struct DeviceTokenKey: Sendable {
    let hmac: HMACSHA256

    /// The key is derived from `ServerSecrets.idempotency` under a label, so that it differs from the keys of other
    /// purposes.
    public init(_ secrets: ServerSecrets) {
        hmac = HMACSHA256(key: HMACSHA256(key: secrets.idempotency).code(for: Array("device token".utf8)).bytes)
    }
}

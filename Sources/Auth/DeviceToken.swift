import Cryptography

/// Shows that a device has signed in to an account before: `tdt_` and, in base64url, the account, the session that the
/// token came with, the generation of the account's device tokens, and an HMAC of all three. It is no credential: whoever
/// has it still needs the password, but tries to sign in apart from strangers. A new generation ends the tokens of the
/// one before.
public struct DeviceToken: Sendable, Equatable {
    private static let prefix = "tdt_"
    private static let idByteCount = 16
    private static let signedByteCount = 2 * idByteCount + 4

    private let signed: [UInt8]
    private let code: [UInt8]

    /// - Parameters:
    ///   - account: 16 bytes.
    ///   - device: 16 bytes that name the device, such as its session.
    public init(account: [UInt8], device: [UInt8], generation: Int32, _ key: DeviceTokenKey) {
        precondition(account.count == Self.idByteCount && device.count == Self.idByteCount, "An id has 16 bytes.")
        signed = account + device + withUnsafeBytes(of: generation.bigEndian) { Array($0) }
        code = key.hmac.code(for: signed).bytes
    }

    /// nil for what this server has not signed.
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

    public var text: String { Self.prefix + Base64.url.encode(signed + code) }

    public var device: [UInt8] { Array(signed[Self.idByteCount..<2 * Self.idByteCount]) }

    public func isOf(account: [UInt8], generation: Int32) -> Bool {
        signed.prefix(Self.idByteCount).elementsEqual(account)
            && signed.suffix(4).elementsEqual(withUnsafeBytes(of: generation.bigEndian) { Array($0) })
    }
}

/// The server's key that signs device tokens.
public struct DeviceTokenKey: Sendable {
    let hmac: HMACSHA256

    /// A key of its own, derived from the one that hashes inputs (NIST SP 800-108).
    public init(_ secrets: ServerSecrets) {
        hmac = HMACSHA256(key: HMACSHA256(key: secrets.idempotency).code(for: Array("device token".utf8)).bytes)
    }
}

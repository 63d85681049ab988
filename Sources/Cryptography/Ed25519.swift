import COpenSSL

/// An Ed25519 key pair (RFC 8032).
public struct Ed25519PrivateKey: Sendable {
    private let key: EVPKey
    public let publicKey: Ed25519PublicKey

    /// A new key from secure random bytes.
    public init() {
        var seed = SecureRandom.bytes(32)
        defer { wipe(&seed) }
        guard let key = Ed25519PrivateKey(rawRepresentation: seed) else {
            preconditionFailure("OpenSSL has no Ed25519.")
        }
        self = key
    }

    /// nil unless `seed` has exactly the 32 bytes of a private key (RFC 8032, section 5.1.5).
    public init?(rawRepresentation seed: [UInt8]) {
        guard seed.count == 32,
            let key = EVPKey(EVP_PKEY_new_raw_private_key(tertulia_ed25519(), nil, seed, seed.count)),
            let publicBytes = key.raw(EVP_PKEY_get_raw_public_key),
            let publicKey = Ed25519PublicKey(rawRepresentation: publicBytes)
        else { return nil }
        self.key = key
        self.publicKey = publicKey
    }

    /// The seed, 32 bytes.
    public var rawRepresentation: [UInt8] { key.raw(EVP_PKEY_get_raw_private_key) ?? [] }

    /// The signature's 64 bytes.
    public func signature(for message: [UInt8]) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("OpenSSL could not allocate a context.") }
        defer { EVP_MD_CTX_free(context) }
        return [UInt8](unsafeUninitializedCapacity: Ed25519PublicKey.signatureByteCount) { output, count in
            count = output.count
            let signed =
                EVP_DigestSignInit(context, nil, nil, nil, key.pointer) == 1
                && EVP_DigestSign(context, output.baseAddress, &count, message, message.count) == 1
            precondition(signed && count == Ed25519PublicKey.signatureByteCount, "OpenSSL's Ed25519 failed.")
        }
    }
}

/// An Ed25519 public key (RFC 8032).
public struct Ed25519PublicKey: Sendable {
    public static let signatureByteCount = 64

    private let key: EVPKey
    /// The public key's 32 bytes, encoded as in RFC 8032, section 5.1.2.
    public let rawRepresentation: [UInt8]

    /// nil unless `bytes` has exactly 32 bytes.
    public init?(rawRepresentation bytes: [UInt8]) {
        guard bytes.count == 32,
            let key = EVPKey(EVP_PKEY_new_raw_public_key(tertulia_ed25519(), nil, bytes, bytes.count))
        else { return nil }
        self.key = key
        rawRepresentation = bytes
    }

    /// True where `signature` has 64 bytes and is this key's signature of the message.
    public func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard signature.count == Self.signatureByteCount, let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        return EVP_DigestVerifyInit(context, nil, nil, nil, key.pointer) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}

/// Owns an EVP_PKEY of OpenSSL.
final class EVPKey: @unchecked Sendable {
    // Unchecked: an EVP_PKEY is immutable once made, and OpenSSL locks its caches.
    let pointer: OpaquePointer

    init?(_ pointer: OpaquePointer?) {
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }

    typealias RawGetter = (OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?) -> Int32

    func raw(_ get: RawGetter) -> [UInt8]? {
        var count = 32
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = get(pointer, buffer.baseAddress, &count) == 1 ? count : 0
        }
        return bytes.isEmpty ? nil : bytes
    }
}

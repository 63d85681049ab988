import COpenSSL

/// A key pair on the curve P-256 (FIPS 186-5, "secp256r1" of RFC 5480).
public struct P256PrivateKey: Sendable {
    private let key: EVPKey
    public let publicKey: P256PublicKey

    /// The prefix of a PKCS #8 structure (RFC 5958) with an EC private key (RFC 5915) and no public key, which OpenSSL
    /// computes.
    private static let pkcs8: [UInt8] =
        [0x30, 0x41, 0x02, 0x01, 0x00] + P256PublicKey.algorithm
        + [0x04, 0x27, 0x30, 0x25, 0x02, 0x01, 0x01, 0x04, 0x20]

    /// The curve's order.
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    /// A new key from secure random bytes.
    public init() {
        while true {
            if let key = P256PrivateKey(rawRepresentation: SecureRandom.bytes(32)) {
                self = key
                return
            }
        }
    }

    /// nil unless `scalar` has exactly 32 bytes and is a number from 1 to the curve's order, exclusive.
    public init?(rawRepresentation scalar: [UInt8]) {
        guard scalar.count == 32, scalar.contains(where: { $0 != 0 }), scalar.lexicographicallyPrecedes(Self.order)
        else { return nil }
        self.init(der: Self.pkcs8 + scalar)
    }

    /// A PKCS #8 key in PEM, the format of Apple's .p8 files. nil for other text, and for a key on another curve.
    public init?(pem: String) {
        let lines = pem.split(whereSeparator: \.isNewline).map { $0.filter { $0 != " " } }
        guard let first = lines.firstIndex(of: "-----BEGINPRIVATEKEY-----"),
            let last = lines.firstIndex(of: "-----ENDPRIVATEKEY-----"), first < last,
            let der = Base64.standard.decode(lines[(first + 1)..<last].joined().filter { $0 != "=" })
        else { return nil }
        self.init(der: der)
    }

    private init?(der: [UInt8]) {
        let pointer = der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return d2i_AutoPrivateKey(nil, &start, bytes.count)
        }
        guard let key = EVPKey(pointer), let publicKey = P256PublicKey(key) else { return nil }
        self.key = key
        self.publicKey = publicKey
    }

    /// An ECDSA signature with SHA-256, as 64 bytes: RFC 7518, section 3.4, ES256.
    public func signature(for message: [UInt8]) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("OpenSSL could not allocate a context.") }
        defer { EVP_MD_CTX_free(context) }
        let der = [UInt8](unsafeUninitializedCapacity: 80) { output, count in
            count = output.count
            let signed =
                EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key.pointer) == 1
                && EVP_DigestSign(context, output.baseAddress, &count, message, message.count) == 1
            precondition(signed, "OpenSSL's ECDSA failed.")
        }
        guard let signature = ECDSASignature(der: der) else { preconditionFailure("OpenSSL's ECDSA failed.") }
        return signature.rawRepresentation
    }

    /// The shared secret of a Diffie-Hellman exchange: the x coordinate of the common point, 32 bytes.
    public func sharedSecret(with other: P256PublicKey) -> [UInt8] {
        guard let context = EVP_PKEY_CTX_new(key.pointer, nil) else {
            preconditionFailure("OpenSSL could not allocate a context.")
        }
        defer { EVP_PKEY_CTX_free(context) }
        return [UInt8](unsafeUninitializedCapacity: 32) { output, count in
            count = output.count
            let derived =
                EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer(context, other.key.pointer) == 1
                && EVP_PKEY_derive(context, output.baseAddress, &count) == 1
            precondition(derived && count == 32, "OpenSSL's ECDH failed.")
        }
    }
}

/// A public key on the curve P-256.
public struct P256PublicKey: Sendable {
    /// id-ecPublicKey with secp256r1 (RFC 5480, section 2.1.1).
    fileprivate static let algorithm: [UInt8] = [
        0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D,
        0x03, 0x01, 0x07,
    ]
    /// A SubjectPublicKeyInfo (RFC 5280, section 4.1) up to the point.
    private static let prefix: [UInt8] = [0x30, 0x59] + algorithm + [0x03, 0x42, 0x00]

    fileprivate let key: EVPKey
    /// The uncompressed point, 65 bytes (SEC 1, section 2.3.3).
    public let rawRepresentation: [UInt8]

    /// nil unless `point` has the 65 bytes of an uncompressed point on the curve.
    public init?(rawRepresentation point: [UInt8]) {
        guard point.count == 65, point[0] == 4 else { return nil }
        let pointer = (Self.prefix + point).withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return d2i_PUBKEY(nil, &start, bytes.count)
        }
        guard let key = EVPKey(pointer) else { return nil }
        self.key = key
        rawRepresentation = point
    }

    /// nil for a key on another curve.
    fileprivate init?(_ key: EVPKey) {
        let size = i2d_PUBKEY(key.pointer, nil)
        guard size == Self.prefix.count + 65 else { return nil }
        let der = [UInt8](unsafeUninitializedCapacity: Int(size)) { output, count in
            var start = output.baseAddress
            count = Int(i2d_PUBKEY(key.pointer, &start))
        }
        guard der.starts(with: Self.prefix) else { return nil }
        self.init(rawRepresentation: Array(der.suffix(65)))
    }

    /// Whether the 64 bytes are this key's ES256 signature of the message.
    public func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard let der = ECDSASignature(rawRepresentation: signature)?.der, let context = EVP_MD_CTX_new() else {
            return false
        }
        defer { EVP_MD_CTX_free(context) }
        return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key.pointer) == 1
            && EVP_DigestVerify(context, der, der.count, message, message.count) == 1
    }
}

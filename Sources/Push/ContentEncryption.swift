import Crypto
import Cryptography

/// A browser's push subscription.
/// Source: RFC 8030 and RFC 8291
public struct Subscription: Sendable {
    /// The address at the push service.
    public let endpoint: String
    public let publicKey: P256.KeyAgreement.PublicKey
    /// 16 bytes that only the browser and the application server know.
    public let authenticationSecret: [UInt8]

    public init(endpoint: String, publicKey: P256.KeyAgreement.PublicKey, authenticationSecret: [UInt8]) {
        self.endpoint = endpoint
        self.publicKey = publicKey
        self.authenticationSecret = authenticationSecret
    }

    /// nil unless `p256dh` is a point on the curve, encoded as in RFC 8291, section 2.
    public init?(endpoint: String, p256dh: [UInt8], auth: [UInt8]) {
        guard let publicKey = try? P256.KeyAgreement.PublicKey(x963Representation: p256dh) else { return nil }
        self.init(endpoint: endpoint, publicKey: publicKey, authenticationSecret: auth)
    }
}

/// Encrypts push messages, so that the push service cannot read them.
/// Source: RFC 8291, section 3.4, with the content coding `aes128gcm` of RFC 8188
public enum ContentEncryption {
    /// The size in bytes of the whole message, which is one record: RFC 8291, section 4.
    static let recordSize = 4096
    /// The size in bytes of a tag of AES-GCM.
    private static let tagSize = 16
    /// The longest plaintext: a record without its header of 86 bytes, its tag and its delimiter.
    public static let maximumByteCount = recordSize - 86 - tagSize - 1

    /// The body of the request.
    /// - Parameters:
    ///   - plaintext: at most `maximumByteCount` bytes.
    ///   - salt: 16 bytes, new for each message; tests give those of the specification.
    ///   - key: the sender's key, new for each message.
    /// - Throws: an error of swift-crypto, which valid keys do not cause.
    public static func seal(
        _ plaintext: [UInt8], for subscription: Subscription, salt: [UInt8] = SecureRandom.bytes(16),
        key: P256.KeyAgreement.PrivateKey = P256.KeyAgreement.PrivateKey()
    ) throws -> [UInt8] {
        let secret = keys(
            of: try key.sharedSecretFromKeyAgreement(with: subscription.publicKey),
            authentication: subscription.authenticationSecret, receiver: subscription.publicKey,
            sender: key.publicKey, salt: salt)
        // The delimiter of the last record is 2.
        let sealed = try AES.GCM.seal(plaintext + [2], using: secret.key, nonce: AES.GCM.Nonce(data: secret.nonce))
        let point = key.publicKey.x963Representation
        let size = [0, 0, UInt8(recordSize >> 8), UInt8(recordSize & 0xFF)]
        return salt + size + [UInt8(point.count)] + point
            + sealed.ciphertext + sealed.tag
    }

    /// Decrypts a body as the browser does. nil for a body that was not sealed for this key and secret.
    public static func open(
        _ body: [UInt8], key: P256.KeyAgreement.PrivateKey, authenticationSecret: [UInt8]
    ) -> [UInt8]? {
        guard body.count >= 86 + tagSize, body[20] == 65,
            let sender = try? P256.KeyAgreement.PublicKey(x963Representation: body[21..<86]),
            let shared = try? key.sharedSecretFromKeyAgreement(with: sender)
        else { return nil }
        let secret = keys(
            of: shared, authentication: authenticationSecret, receiver: key.publicKey, sender: sender,
            salt: Array(body[..<16]))
        guard let nonce = try? AES.GCM.Nonce(data: secret.nonce),
            let sealed = try? AES.GCM.SealedBox(
                nonce: nonce, ciphertext: body[86...].dropLast(tagSize), tag: body.suffix(tagSize)),
            var plaintext = (try? AES.GCM.open(sealed, using: secret.key)).map(Array.init)
        else { return nil }
        // The padding is zeros behind the delimiter.
        while plaintext.last == 0 { plaintext.removeLast() }
        return plaintext.popLast() == 2 ? plaintext : nil
    }

    private static func keys(
        of shared: SharedSecret, authentication: [UInt8], receiver: P256.KeyAgreement.PublicKey,
        sender: P256.KeyAgreement.PublicKey, salt: [UInt8]
    ) -> (key: SymmetricKey, nonce: [UInt8]) {
        let info = Array("WebPush: info\0".utf8) + receiver.x963Representation + sender.x963Representation
        let input = shared.hkdfDerivedSymmetricKey(
            using: Crypto.SHA256.self, salt: authentication, sharedInfo: info, outputByteCount: 32)
        func derive(_ label: String, _ count: Int) -> SymmetricKey {
            HKDF<Crypto.SHA256>.deriveKey(
                inputKeyMaterial: input, salt: salt, info: Array("Content-Encoding: \(label)\0".utf8),
                outputByteCount: count)
        }
        return (derive("aes128gcm", 16), derive("nonce", 12).withUnsafeBytes(Array.init))
    }
}

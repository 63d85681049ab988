import Cryptography

/// A browser's push subscription.
/// Source: RFC 8030 and RFC 8291
public struct Subscription: Sendable {
    /// The address at the push service.
    public let endpoint: String
    public let publicKey: P256PublicKey
    /// 16 bytes that only the browser and the application server know.
    public let authenticationSecret: [UInt8]

    public init(endpoint: String, publicKey: P256PublicKey, authenticationSecret: [UInt8]) {
        self.endpoint = endpoint
        self.publicKey = publicKey
        self.authenticationSecret = authenticationSecret
    }

    /// nil unless `p256dh` is a point on the curve, encoded as in RFC 8291, section 2.
    public init?(endpoint: String, p256dh: [UInt8], auth: [UInt8]) {
        guard let publicKey = P256PublicKey(rawRepresentation: p256dh) else { return nil }
        self.init(endpoint: endpoint, publicKey: publicKey, authenticationSecret: auth)
    }
}

/// Encrypts push messages, so that the push service cannot read them.
/// Source: RFC 8291, section 3.4, with the content coding `aes128gcm` of RFC 8188
public enum ContentEncryption {
    /// The size in bytes of the whole message, which is one record: RFC 8291, section 4.
    static let recordSize = 4096
    /// The longest plaintext: a record without its header of 86 bytes, its tag and its delimiter.
    public static let maximumByteCount = recordSize - 86 - AES128GCM.tagByteCount - 1

    /// The body of the request.
    /// - Parameters:
    ///   - plaintext: at most `maximumByteCount` bytes.
    ///   - salt: 16 bytes, new for each message; tests give those of the specification.
    ///   - key: the sender's key, new for each message.
    public static func seal(
        _ plaintext: [UInt8], for subscription: Subscription, salt: [UInt8] = SecureRandom.bytes(16),
        key: P256PrivateKey = P256PrivateKey()
    ) -> [UInt8] {
        let secret = keys(
            of: key.sharedSecret(with: subscription.publicKey), authentication: subscription.authenticationSecret,
            receiver: subscription.publicKey, sender: key.publicKey, salt: salt)
        let point = key.publicKey.rawRepresentation
        let size = [0, 0, UInt8(recordSize >> 8), UInt8(recordSize & 0xFF)]
        // The delimiter of the last record is 2.
        return salt + size + [UInt8(point.count)] + point
            + AES128GCM.seal(plaintext + [2], key: secret.key, nonce: secret.nonce)
    }

    /// Decrypts a body as the browser does. nil for a body that was not sealed for this key and secret.
    public static func open(
        _ body: [UInt8], key: P256PrivateKey, authenticationSecret: [UInt8]
    ) -> [UInt8]? {
        guard body.count > 86, body[20] == 65, let sender = P256PublicKey(rawRepresentation: Array(body[21..<86]))
        else { return nil }
        let secret = keys(
            of: key.sharedSecret(with: sender), authentication: authenticationSecret, receiver: key.publicKey,
            sender: sender, salt: Array(body[..<16]))
        guard var plaintext = AES128GCM.open(Array(body[86...]), key: secret.key, nonce: secret.nonce) else {
            return nil
        }
        // The padding is zeros behind the delimiter.
        while plaintext.last == 0 { plaintext.removeLast() }
        return plaintext.popLast() == 2 ? plaintext : nil
    }

    private static func keys(
        of shared: [UInt8], authentication: [UInt8], receiver: P256PublicKey, sender: P256PublicKey, salt: [UInt8]
    ) -> (key: [UInt8], nonce: [UInt8]) {
        let info = Array("WebPush: info\0".utf8) + receiver.rawRepresentation + sender.rawRepresentation
        let input = HKDFSHA256.derive(secret: shared, salt: authentication, info: info, count: 32)
        func derive(_ label: String, _ count: Int) -> [UInt8] {
            HKDFSHA256.derive(secret: input, salt: salt, info: Array("Content-Encoding: \(label)\0".utf8), count: count)
        }
        return (derive("aes128gcm", 16), derive("nonce", 12))
    }
}

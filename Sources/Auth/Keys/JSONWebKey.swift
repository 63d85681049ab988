import Cryptography

/// A public Ed25519 key as JSON (RFC 8037, section 2).
enum JSONWebKey {
    /// RFC 7638, section 3: the SHA-256 of the required members alone, in lexicographic order, in base64url.
    static func thumbprint(of key: Ed25519PublicKey) -> String {
        var writer = JSONWriter()
        writer.object {
            $0.member("crv", "Ed25519")
            $0.member("kty", "OKP")
            $0.member("x", Base64.url.encode(key.rawRepresentation))
        }
        return Base64.url.encode(SHA256.digest(of: writer.bytes).bytes)
    }

    static func write(_ key: SigningKey, to writer: inout JSONWriter) {
        writer.object {
            $0.member("kty", "OKP")
            $0.member("crv", "Ed25519")
            $0.member("x", Base64.url.encode(key.privateKey.publicKey.rawRepresentation))
            $0.member("kid", key.kid)
            $0.member("use", "sig")
            $0.member("alg", "EdDSA")
        }
    }
}

import Cryptography

/// The JSON of a key file:
/// `{"keys": [{"kid", "d", "createdAt", "activeFrom", "retireAt"?}], "secrets": {"refreshToken", …}}`,
/// where `d` is the private key as in RFC 8037 and times are seconds since 1970.
enum SigningKeysFormat {
    static func encode(_ keys: SigningKeys) -> [UInt8] {
        var writer = JSONWriter()
        writer.object {
            $0.member("keys") { $0.array(keys.keys) { write($1, to: &$0) } }
            $0.member("secrets") { writer in
                writer.object {
                    $0.member("refreshToken", Base64.url.encode(keys.secrets.refreshToken))
                    $0.member("idempotency", Base64.url.encode(keys.secrets.idempotency))
                    $0.member("imageSignature", Base64.url.encode(keys.secrets.imageSignature))
                }
            }
        }
        writer.raw("\n")
        return writer.bytes
    }

    static func decode(_ bytes: [UInt8]) -> SigningKeys? {
        guard let file = JSONReader.value(of: bytes), let members = file["keys"]?.array,
            let secrets = file["secrets"],
            let refreshToken = secret("refreshToken", of: secrets),
            let idempotency = secret("idempotency", of: secrets),
            let imageSignature = secret("imageSignature", of: secrets),
            let serverSecrets = ServerSecrets(
                refreshToken: refreshToken, idempotency: idempotency, imageSignature: imageSignature)
        else { return nil }
        let keys = members.compactMap(signingKey)
        guard keys.count == members.count else { return nil }
        return SigningKeys(keys: keys, secrets: serverSecrets)
    }

    private static func write(_ key: SigningKey, to writer: inout JSONWriter) {
        writer.object {
            $0.member("kid", key.kid)
            $0.member("d", Base64.url.encode(key.privateKey.rawRepresentation))
            $0.member("createdAt", key.createdAt)
            $0.member("activeFrom", key.activeFrom)
            if let retireAt = key.retireAt { $0.member("retireAt", retireAt) }
        }
    }

    private static func signingKey(_ value: JSONValue) -> SigningKey? {
        guard let seed = value["d"]?.string.flatMap({ Base64.url.decode($0) }),
            let privateKey = Ed25519PrivateKey(rawRepresentation: seed),
            let createdAt = value["createdAt"]?.integer, let activeFrom = value["activeFrom"]?.integer
        else { return nil }
        let retireAt = value["retireAt"]?.integer
        guard (value["retireAt"] == nil) == (retireAt == nil) else { return nil }
        let key = SigningKey(
            privateKey: privateKey, createdAt: createdAt, activeFrom: activeFrom, retireAt: retireAt)
        return value["kid"]?.string == key.kid ? key : nil
    }

    private static func secret(_ name: String, of secrets: JSONValue) -> [UInt8]? {
        secrets[name]?.string.flatMap { Base64.url.decode($0) }
    }
}

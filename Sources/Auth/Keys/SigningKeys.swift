import Cryptography

/// The keys and secrets that all replicas share. Immutable: a rotation returns a new set.
public struct SigningKeys: Sendable {
    /// A new key is published for this long before it signs, so that every replica and cache has it by then; in
    /// seconds.
    public static let publishAhead: Int64 = 3_600
    /// A key that has retired is kept for this long, in seconds: 180 days. The tokens that it signed can then be told
    /// from forged ones.
    public static let keptAfterRetirement: Int64 = 180 * 86_400

    /// In the order of `activeFrom`.
    public let keys: [SigningKey]
    public let secrets: ServerSecrets
    private let byKid: [String: SigningKey]

    /// nil if `keys` is empty or has one kid twice.
    public init?(keys: [SigningKey], secrets: ServerSecrets) {
        let byKid = Dictionary(keys.map { ($0.kid, $0) }) { first, _ in first }
        guard !keys.isEmpty, byKid.count == keys.count else { return nil }
        self.init(keys: keys, secrets: secrets, byKid: byKid)
    }

    private init(keys: [SigningKey], secrets: ServerSecrets, byKid: [String: SigningKey]) {
        self.keys = keys.sorted { ($0.activeFrom, $0.kid) < ($1.activeFrom, $1.kid) }
        self.secrets = secrets
        self.byKid = byKid
    }

    /// One new key, active at once, and new secrets.
    public static func generate(now: Int64) -> SigningKeys {
        let key = SigningKey(privateKey: Ed25519PrivateKey(), createdAt: now, activeFrom: now)
        return SigningKeys(keys: [key], secrets: .generate(), byKid: [key.kid: key])
    }

    /// The newest active key. If none is active yet, the oldest: a clock that was set back must not stop sign-ins.
    public func signingKey(now: Int64) -> SigningKey {
        keys.last { $0.activeFrom <= now } ?? keys[0]
    }

    /// The key of this kid, also if it has retired.
    func key(kid: String) -> SigningKey? { byKid[kid] }

    /// The set with a new key, published now and active in an hour. The other keys retire after twice `tokenLifetime`
    /// (seconds) from then. Keys that retired `keptAfterRetirement` ago are left out.
    public func rotated(now: Int64, tokenLifetime: Int64) -> SigningKeys {
        let key = SigningKey(
            privateKey: Ed25519PrivateKey(), createdAt: now, activeFrom: now + Self.publishAhead)
        let kept = keys.filter { isPublished($0, now: now - Self.keptAfterRetirement) }
            .map { $0.retireAt == nil ? $0.retiring(at: key.activeFrom + 2 * tokenLifetime) : $0 }
        let all = kept + [key]
        let byKid = Dictionary(all.map { ($0.kid, $0) }) { first, _ in first }
        return SigningKeys(keys: all, secrets: secrets, byKid: byKid)
    }

    /// The JWK set (RFC 7517, section 5) of all published keys, those that do not sign yet or no longer included;
    /// UTF-8.
    public func jwks(now: Int64) -> [UInt8] {
        var writer = JSONWriter()
        writer.object {
            $0.member("keys") { writer in
                writer.array(keys.filter { isPublished($0, now: now) }) { JSONWebKey.write($1, to: &$0) }
            }
        }
        return writer.bytes
    }

    /// True until the key retires.
    func isPublished(_ key: SigningKey, now: Int64) -> Bool {
        key.retireAt.map { now < $0 } ?? true
    }
}

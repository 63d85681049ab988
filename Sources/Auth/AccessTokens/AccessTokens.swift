import Cryptography
import Synchronization

/// Signs and verifies access tokens: JWTs (RFC 7519) of type at+jwt (RFC 9068), signed with Ed25519 (RFC 8037) and
/// checked as strictly as RFC 8725 asks. Verification accepts one algorithm, which belongs to the key, and takes keys
/// from the key set alone: `jku`, `jwk` and the like in a token are refused.
public final class AccessTokens: Sendable {
    /// A longer token is refused as malformed.
    public static let maximumByteCount = 4_096
    /// In seconds.
    public static let defaultLifetime: Int64 = 900

    /// The value of `iss`, which verification requires.
    public let issuer: String
    /// The value of `aud`, which verification requires.
    public let audience: String
    /// In seconds.
    public let lifetime: Int64
    /// The tolerated difference between the clocks of replicas, in seconds.
    public let skew: Int64
    private let keySet: Mutex<SigningKeys>

    public init(
        keys: SigningKeys, issuer: String, audience: String, lifetime: Int64 = defaultLifetime, skew: Int64 = 30
    ) {
        keySet = Mutex(keys)
        self.issuer = issuer
        self.audience = audience
        self.lifetime = lifetime
        self.skew = skew
    }

    /// The key set in use. Set it after a rotation.
    public var keys: SigningKeys {
        get { keySet.withLock { $0 } }
        set { keySet.withLock { $0 = newValue } }
    }

    /// - Parameter now: seconds since 1970.
    public func sign(
        subject: String, session: String, isAnonymous: Bool, role: String? = nil, now: Int64
    ) -> (token: String, claims: AccessTokenClaims) {
        let claims = AccessTokenClaims(
            subject: subject, session: session, isAnonymous: isAnonymous, role: role,
            id: Base64.url.encode(SecureRandom.bytes(16)), issuedAt: now, expiresAt: now + lifetime)
        let key = keys.signingKey(now: now)
        let header = JOSEHeader(kid: key.kid).encode()
        let payload = claims.encode(issuer: issuer, audience: audience)
        return (JSONWebSignature.sign(header: header, payload: payload, with: key.privateKey), claims)
    }

    /// - Parameter now: seconds since 1970.
    /// - Throws: `expired` only for a token of this server that is wrong in nothing else. Its key may have retired.
    public func verify(_ token: String, now: Int64) throws(AccessTokenError) -> AccessTokenClaims {
        guard token.utf8.count <= Self.maximumByteCount, let signed = JSONWebSignature(compact: token) else {
            throw .malformed
        }
        guard let header = JOSEHeader(json: signed.header) else { throw .unsupportedHeader }
        let keys = keys
        guard let key = keys.key(kid: header.kid) else { throw .unknownKey }
        guard signed.isValid(for: key.privateKey.publicKey) else { throw .invalidSignature }
        guard let claims = AccessTokenClaims.decode(signed.payload, issuer: issuer, audience: audience) else {
            throw .invalidClaims
        }
        try check(claims, now: now)
        // When a key retires, every token that a server with the current keys signed with it has expired.
        guard keys.isPublished(key, now: now) else { throw .unknownKey }
        return claims
    }

    /// The text has the header of such a token, and claims of this issuer for this audience. The signature and the times
    /// are not checked.
    public func hasForm(_ text: String) -> Bool {
        guard text.utf8.count <= Self.maximumByteCount, let signed = JSONWebSignature(compact: text) else {
            return false
        }
        return JOSEHeader(json: signed.header) != nil
            && AccessTokenClaims.decode(signed.payload, issuer: issuer, audience: audience) != nil
    }

    func check(_ claims: AccessTokenClaims, now: Int64) throws(AccessTokenError) {
        if claims.expiresAt + skew <= now { throw .expired }
        if claims.issuedAt - skew > now { throw .notYetValid }
    }
}

import Crypto
import Cryptography

/// A JSON Web Token signed with ES256: RFC 7515, section 7.1, and RFC 7518, section 3.4.
enum ES256Token {
    /// Signs a token whose header and claims are given as JSON.
    /// - Throws: an error of swift-crypto; never with a valid key.
    static func sign(header: String, claims: String, with key: P256.Signing.PrivateKey) throws -> String {
        let input = "\(Base64.url.encode(header.utf8)).\(Base64.url.encode(claims.utf8))"
        return "\(input).\(Base64.url.encode(try key.signature(for: Array(input.utf8)).rawRepresentation))"
    }
}

/// Identifies the server to a push service. A subscription is made for this key and accepts messages of no other, so
/// that a leaked subscription is of no use to another sender.
/// Source: RFC 8292
public struct VAPID: Sendable {
    /// A token's lifetime in seconds; RFC 8292, section 2, allows 24 hours at most.
    static let lifetime: Int64 = 12 * 3600

    private let key: P256.Signing.PrivateKey
    private let contact: String

    /// - Parameter contact: an https: or mailto: URI by which the operator of a push service reaches the operator of
    ///   this server.
    public init(key: P256.Signing.PrivateKey, contact: String) {
        self.key = key
        self.contact = contact
    }

    /// The Authorization header for the origin of an endpoint.
    /// - Parameter now: seconds since 1970.
    public func authorization(origin: String, now: Int64) throws -> String {
        // No escaping is needed: the app refuses endpoints whose authority has a quotation mark or a backslash, and the
        // operator writes the contact.
        let claims = "{\"aud\":\"\(origin)\",\"exp\":\(now + Self.lifetime),\"sub\":\"\(contact)\"}"
        let token = try ES256Token.sign(header: "{\"typ\":\"JWT\",\"alg\":\"ES256\"}", claims: claims, with: key)
        return "vapid t=\(token), k=\(Base64.url.encode(key.publicKey.x963Representation))"
    }
}

/// A key of Apple's developer programme. It signs the tokens that authorize requests to APNs.
/// Source: Apple, "Establishing a token-based connection to APNs"
public struct APNsCredentials: Sendable {
    let key: P256.Signing.PrivateKey
    let keyID: String
    let teamID: String

    public init(key: P256.Signing.PrivateKey, keyID: String, teamID: String) {
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
    }

    /// The provider authentication token of a request.
    /// - Parameter now: seconds since 1970.
    public func token(now: Int64) throws -> String {
        try ES256Token.sign(
            header: "{\"alg\":\"ES256\",\"kid\":\"\(keyID)\"}", claims: "{\"iss\":\"\(teamID)\",\"iat\":\(now)}",
            with: key)
    }
}

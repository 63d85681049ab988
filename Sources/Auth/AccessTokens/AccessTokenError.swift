/// The reason for refusing an access token. The server does not log it. A client is told UNAUTHENTICATED and no more.
public enum AccessTokenError: Error, Equatable, Sendable {
    /// The token is not three parts of canonical base64url, or is longer than 4 KiB.
    case malformed
    /// The header is not a JSON object of exactly `alg` EdDSA, `typ` at+jwt and a `kid`.
    case unsupportedHeader
    /// No published key has the token's `kid`.
    case unknownKey
    case invalidSignature
    /// The payload is not JSON, or a claim is missing, has another type, or names another issuer or audience. Also
    /// an empty id, a time beyond the year 9999, and an `exp` that is not after `iat`.
    case invalidClaims
    case expired
    case notYetValid
}

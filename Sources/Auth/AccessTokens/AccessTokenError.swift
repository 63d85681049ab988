/// The reason for refusing an access token, for logs and metrics. A client is told UNAUTHENTICATED and no more.
public enum AccessTokenError: Error, Equatable, Sendable {
    /// The token is not three parts of canonical base64url with JSON in them, or is longer than 4 KiB.
    case malformed
    /// The header is not exactly `alg` EdDSA, `typ` at+jwt and a `kid`.
    case unsupportedHeader
    /// No key has the token's `kid`, or the key has retired and the token claims to be valid still.
    case unknownKey
    case invalidSignature
    /// A claim is missing, has another type, or names another issuer or audience.
    case invalidClaims
    case expired
    case notYetValid
}

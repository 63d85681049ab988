/// Why an access token is refused: for logs and metrics. A client is only told that it is not signed in.
public enum AccessTokenError: Error, Equatable, Sendable {
    /// Not three parts of canonical base64url and JSON, or longer than 4 KiB.
    case malformed
    /// The header is not exactly alg EdDSA, typ at+jwt and a kid.
    case unsupportedHeader
    case unknownKey
    case invalidSignature
    /// A claim is missing, of another type, or for another issuer or audience.
    case invalidClaims
    case expired
    case notYetValid
}

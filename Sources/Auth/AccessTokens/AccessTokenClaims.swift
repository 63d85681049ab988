import Cryptography

/// The claims of an access token (RFC 9068, section 2.2). Times are seconds since 1970.
public struct AccessTokenClaims: Sendable, Equatable {
    /// `sub`: the account's id.
    public let subject: String
    /// `sid`: the session's id.
    public let session: String
    /// `anon`: the account has not signed up.
    public let isAnonymous: Bool
    /// `role`: nil for an account without special rights.
    public let role: String?
    /// `jti`: 128 random bits, in base64url.
    public let id: String
    /// `iat`
    public let issuedAt: Int64
    /// `exp`
    public let expiresAt: Int64
}

extension AccessTokenClaims {
    func encode(issuer: String, audience: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.object {
            $0.member("iss", issuer)
            $0.member("aud", audience)
            $0.member("client_id", audience)
            $0.member("sub", subject)
            $0.member("sid", session)
            $0.member("anon", isAnonymous)
            if let role { $0.member("role", role) }
            $0.member("jti", id)
            $0.member("iat", issuedAt)
            $0.member("exp", expiresAt)
        }
        return writer.bytes
    }

    /// nil unless the claims are present with their types, and `issuer` and `audience` match. `role` may be absent, and
    /// `client_id` is not read. This server sets no `nbf` (RFC 7519, section 4.1.5); if a token has one, `issuedAt` is
    /// the later of `nbf` and `iat`.
    static func decode(_ bytes: [UInt8], issuer: String, audience: String) -> AccessTokenClaims? {
        guard let claims = JSONReader.value(of: bytes)?.object,
            claims["iss"]?.string == issuer, claims["aud"]?.string == audience,
            let subject = claims["sub"]?.string, !subject.isEmpty,
            let session = claims["sid"]?.string, !session.isEmpty,
            let isAnonymous = claims["anon"]?.boolean,
            let id = claims["jti"]?.string, !id.isEmpty,
            let issuedAt = claims["iat"]?.integer, let expiresAt = claims["exp"]?.integer,
            times.contains(issuedAt), times.contains(expiresAt), issuedAt < expiresAt
        else { return nil }
        var notBefore = issuedAt
        if let value = claims["nbf"] {
            guard let time = value.integer, times.contains(time) else { return nil }
            notBefore = max(issuedAt, time)
        }
        var role: String?
        if let value = claims["role"] {
            guard let name = value.string else { return nil }
            role = name
        }
        return AccessTokenClaims(
            subject: subject, session: session, isAnonymous: isAnonymous, role: role, id: id,
            issuedAt: notBefore, expiresAt: expiresAt)
    }

    /// Valid times end with the year 9999, so that adding the skew cannot overflow.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799
}

import Auth
import GraphQL
import Postgres

extension Environment {
    /// The viewer of a request by its Authorization header: signature, expiry and the set of revoked sessions, no
    /// database. Throws UNAUTHENTICATED for a token that is not valid; no header is no viewer. Where the set is
    /// too old to rely on, the database is asked, and may be UNAVAILABLE.
    public func authenticate(
        authorization: String?, userAgent: String?, address: String?, requestID: String? = nil
    ) async throws -> RequestContext {
        var viewer: RequestContext.Viewer?
        var grant: RequestContext.Grant?
        if let authorization {
            guard let token = Self.bearerToken(authorization) else { throw ExecutionError.invalidToken }
            do {
                let claims: AccessTokenClaims
                (viewer, claims) = try await verify(token)
                grant = RequestContext.Grant(sessionID: claims.session, expiresAt: claims.expiresAt * 1000)
            } catch let error as PostgresError {
                throw RequestContext(environment: self, viewer: nil, requestID: requestID).executionError(for: error)
            }
        }
        return RequestContext(
            environment: self, viewer: viewer, grant: grant, userAgent: userAgent, address: address,
            requestID: requestID)
    }

    /// RFC 6750, section 2.1; the scheme in any case.
    private static func bearerToken(_ authorization: String) -> String? {
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }

    private func verify(_ token: String) async throws -> (RequestContext.Viewer, AccessTokenClaims) {
        let now = now().unixMilliseconds
        guard let claims = try? verifiedTokens.verify(token, now: now / 1000),
            let user = TypeID(claims.subject), user.kind == .user,
            let session = TypeID(claims.session), session.kind == .session,
            !revokedSessions.isRevoked(claims.session, now: now)
        else { throw ExecutionError.invalidToken }
        if !revokedSessions.isFresh(now: now) {
            // The set is too old to rely on: the database knows.
            guard try await pools.worker.run(SessionIsAlive(id: session.uuid)).first == true else {
                throw ExecutionError.invalidToken
            }
        }
        return (RequestContext.Viewer(userID: user.uuid, sessionID: session.uuid), claims)
    }
}

struct SessionIsAlive: Statement {
    let id: UUID

    var sql: SQL { "select exists (select from sessions where id = \(id) and revoked_at is null)" }

    func decode(_ row: Row) -> Bool { row.bool(0) }
}

extension ExecutionError {
    static let invalidToken = ExecutionError(
        "The access token is expired, revoked or not valid.", code: .unauthenticated)
}

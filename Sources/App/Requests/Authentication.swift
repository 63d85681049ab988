import Auth
import GraphQL
import Postgres

extension Environment {
    /// Authenticates a request by its Authorization header; without the header it has no viewer. The token's signature
    /// and expiry and the set of revoked sessions are checked in memory. The database is asked only if that set is too
    /// old to rely on.
    /// - Throws: `EndedSession` for a token that is expired or revoked; UNAUTHENTICATED for any other invalid token;
    ///   UNAVAILABLE if the database has to be asked and cannot be reached.
    public func authenticate(
        authorization: String?, userAgent: String?, address: String?, requestID: String? = nil
    ) async throws -> RequestContext {
        let context = try contextFromMemory(authorization, userAgent, address, requestID)
        if let viewer = context.viewer, !revokedSessions.isFresh(now: now().unixMilliseconds) {
            do {
                let isAlive = try await pools.worker.run(SessionIsAlive(id: viewer.sessionID)).first
                guard isAlive == true else {
                    refuse(session: viewer.sessionID)
                    throw EndedSession(contextWithoutViewer(userAgent, address, requestID))
                }
            } catch let error as PostgresError {
                throw contextWithoutViewer(userAgent, address, requestID).executionError(for: error)
            }
        }
        return context
    }

    /// Authenticates as `authenticate` does, but never waits.
    /// - Returns: nil if the database has to be asked.
    public func authenticateSynchronously(
        authorization: String?, userAgent: String?, address: String?, requestID: String? = nil
    ) throws -> RequestContext? {
        let context = try contextFromMemory(authorization, userAgent, address, requestID)
        return context.viewer == nil || revokedSessions.isFresh(now: now().unixMilliseconds) ? context : nil
    }

    private func contextFromMemory(
        _ authorization: String?, _ userAgent: String?, _ address: String?, _ requestID: String?
    ) throws -> RequestContext {
        guard let authorization else { return contextWithoutViewer(userAgent, address, requestID) }
        guard let token = Self.bearerToken(authorization) else { throw ExecutionError.invalidToken }
        let now = now().unixMilliseconds
        let claims: AccessTokenClaims
        do {
            claims = try verifiedTokens.verify(token, now: now / 1000)
        } catch .expired {
            throw EndedSession(contextWithoutViewer(userAgent, address, requestID))
        } catch {
            throw ExecutionError.invalidToken
        }
        guard let user = TypeID(claims.subject), user.kind == .user,
            let session = TypeID(claims.session), session.kind == .session
        else { throw ExecutionError.invalidToken }
        if revokedSessions.isRevoked(claims.session, now: now) {
            throw EndedSession(contextWithoutViewer(userAgent, address, requestID))
        }
        return RequestContext(
            environment: self, viewer: RequestContext.Viewer(userID: user.uuid, sessionID: session.uuid),
            grant: RequestContext.Grant(
                sessionID: claims.session, expiresAt: claims.expiresAt * 1000, isAnonymous: claims.isAnonymous),
            userAgent: userAgent, address: address, requestID: requestID)
    }

    private func contextWithoutViewer(_ userAgent: String?, _ address: String?, _ requestID: String?) -> RequestContext
    {
        RequestContext(environment: self, viewer: nil, userAgent: userAgent, address: address, requestID: requestID)
    }

    /// Refuses a payload of `connection_init` with an access token under a name that is not read. Its client assumes that
    /// it is signed in.
    /// - Parameter authorization: the credentials that were read.
    /// - Throws: BAD_REQUEST
    public func refuseMisplacedToken(in payload: InputObject, authorization: String?) throws(ExecutionError) {
        let given = authorization.flatMap(Self.bearerToken)
        if hasToken(.object(payload), otherThan: given) { throw .misplacedToken }
    }

    private func hasToken(_ value: InputValue, otherThan given: String?) -> Bool {
        switch value {
        case .string(let text):
            return text.split(whereSeparator: \.isWhitespace).contains {
                $0 != given ?? "" && tokens.hasForm(String($0))
            }
        case .object(let object): return object.fields.contains { hasToken($0.value, otherThan: given) }
        case .list(let items): return items.contains { hasToken($0, otherThan: given) }
        default: return false
        }
    }

    /// RFC 6750, section 2.1; the scheme's case does not matter.
    private static func bearerToken(_ authorization: String) -> String? {
        let bytes = authorization.utf8
        guard bytes.starts(with: "bearer ".utf8, by: { $0 | 0x20 == $1 }) else { return nil }
        return String(Substring(bytes.dropFirst(7)))
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
    /// At most 123 bytes, which the reason of a WebSocket's close can have.
    static let misplacedToken = ExecutionError(
        "The payload has an access token under a name that is not read: send it as \"accessToken\".", code: .badRequest)
}

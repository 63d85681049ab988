import Auth
import Cryptography
import GraphQL
import Postgres

extension RequestContext {
    /// Decides and stores the rotation under the session's row lock, so that two concurrent refreshes agree.
    /// - Throws: UNAUTHENTICATED if the session has ended.
    func refreshSession(_ text: String) async throws -> SessionPayload {
        guard let presented = RefreshToken(text) else { throw ExecutionError.sessionEnded }
        let child = presented.child(environment.refreshTokenKey)
        let worker = environment.pools.worker
        let rotated = try await worker.retrying {
            try await worker.withConnection { connection in
                try await connection.transaction { try await rotate(presented, child, in: $0) }
            }
        }
        switch rotated {
        case .issued(let issued): return SessionPayload(issued: issued)
        case .reused(let session, let user):
            refuse(sessions: [session])
            // In a second transaction: the first has locked the session, and credentials must be locked before
            // sessions.
            _ = try await worker.retrying(Segment([Credentials.endDeviceTokens(of: user)]))
        case .ended: break
        }
        throw ExecutionError.sessionEnded
    }

    private enum Rotation {
        case issued(IssuedSession)
        /// An older token was used again, so the session has been ended.
        case reused(session: UUID, by: UUID)
        case ended
    }

    private func rotate(
        _ presented: RefreshToken, _ child: RefreshToken, in transaction: Postgres.Connection
    ) async throws -> Rotation {
        guard let stored = try await transaction.run(SessionByFamily(family: presented.family)).first else {
            return .ended
        }
        let decision = RefreshRotation().decide(
            presented: presented.hash, child: child.hash, row: stored.row, now: environment.unixSeconds)
        switch decision {
        case .rotate(let row): try await transaction.execute(stored.rotate(row))
        case .repeatChild: break
        case .revokeFamily:
            for statement in EndSession.statements(stored.id, environment) {
                try await transaction.execute(statement)
            }
            return .reused(session: stored.id, by: stored.userID)
        case .expired, .revoked:
            _ = try await transaction.run(RefuseSuspended(account: stored.userID))
            return .ended
        }
        return .issued(
            issue(
                child, session: stored.id, user: stored.userID, isAnonymous: stored.isAnonymous,
                deviceGeneration: stored.deviceGeneration))
    }

    func signOut(_ arguments: InputObject) async throws -> Payload<Bool> {
        let input: InputObject = try arguments.decode(InputObject?.self, "input") ?? InputObject()
        let clientMutationId = try Claim.clientMutationId(of: input)
        let viewer = try requireViewer()
        _ = try await environment.pools.worker.retrying(Segment(EndSession.statements(viewer.sessionID, environment)))
        refuse(sessions: [viewer.sessionID])
        return Payload(object: true, clientMutationId: clientMutationId)
    }

    /// Refuses the tokens of sessions whose end has been committed. Other replicas learn of it by polling.
    func refuse(sessions: [UUID]) {
        for session in sessions {
            environment.refuse(session: session)
            if session == viewer?.sessionID { sign(in: nil) }
        }
    }
}

extension Environment {
    /// Refuses the tokens of a session that the database has ended, and ends its streams.
    func refuse(session: UUID) {
        let now = now().unixMilliseconds
        revokedSessions.revoke(
            TypeID(.session, session).description, until: now + tokens.lifetime * 1000 + 60_000, now: now)
    }
}

/// The database's trigger `end_push_registrations` ends the push registrations of each session that ends.
enum EndSession {
    /// Ends a session. Every replica refuses its access tokens within a second.
    static func statements(_ session: UUID, _ environment: Environment) -> [SQL] {
        [
            "update sessions set revoked_at = now() where id = \(session) and revoked_at is null",
            """
            insert into revoked_sessions (session_id, expires_at) \
            values (\(session), \(expiry(environment))) on conflict do nothing
            """,
        ]
    }

    /// Common table expressions that end the sessions for which `condition` holds. `ended` has their ids; the alias `s`
    /// is the sessions table.
    static func parts(where condition: SQL, _ environment: Environment) -> SQL {
        """
        ended as (update sessions s set revoked_at = now() where s.revoked_at is null and \(condition) \
        returning s.id), \
        refused as (insert into revoked_sessions (session_id, expires_at) \
        select id, \(expiry(environment)) from ended on conflict do nothing)
        """
    }

    /// Common table expressions that end all sessions of an account except `current`. They also delete its push
    /// registrations without a session, which may belong to any of these sessions.
    static func parts(ofAccount account: SQL, except current: UUID? = nil, _ environment: Environment) -> SQL {
        let condition: SQL = current.map { "s.user_id = \(account) and s.id <> \($0)" } ?? "s.user_id = \(account)"
        return """
            \(parts(where: condition, environment)), \
            silent as (delete from push_devices where user_id = \(account) and session_id is null)
            """
    }

    /// The select list of a statement with `parts`: one column, the ids of the ended sessions.
    static let ids: StaticString = "coalesce((select array_agg(id) from ended), '{}')"

    /// The time at which the last access token of a session that ends now is no longer accepted.
    private static func expiry(_ environment: Environment) -> SQL {
        "now() + make_interval(secs => \(Double(environment.tokens.lifetime + environment.tokens.skew)))"
    }
}

struct SessionByFamily: Statement {
    struct Output: Sendable {
        let id: UUID
        let userID: UUID
        let isAnonymous: Bool
        /// nil for an account without credentials.
        let deviceGeneration: Int32?
        let row: RefreshTokenRow
    }

    let family: [UInt8]

    var sql: SQL {
        """
        select s.id, s.user_id, u.is_anonymous, s.parent_hash, s.current_hash, s.created_at, s.rotated_at, \
        s.revoked_at, k.device_generation from sessions s join users u on u.id = s.user_id \
        left join credentials k on k.user_id = s.user_id where s.family = \(family) for update of s
        """
    }

    func decode(_ row: Row) throws -> Output {
        guard let current = SHA256Digest(bytes: row.bytes(4)) else { throw ExecutionError.unauthenticated }
        return Output(
            id: row.uuid(0), userID: row.uuid(1), isAnonymous: row.bool(2), deviceGeneration: row.int32(optional: 8),
            row: RefreshTokenRow(
                parent: row.bytes(optional: 3).flatMap { SHA256Digest(bytes: $0) }, current: current,
                createdAt: row.timestamp(5).unixMilliseconds / 1000,
                rotatedAt: row.timestamp(6).unixMilliseconds / 1000,
                revokedAt: row.timestamp(optional: 7).map { $0.unixMilliseconds / 1000 }))
    }
}

extension SessionByFamily.Output {
    func rotate(_ row: RefreshTokenRow) -> SQL {
        """
        update sessions set parent_hash = \(row.parent?.bytes), current_hash = \(row.current.bytes), \
        rotated_at = \(Timestamp(unixMilliseconds: row.rotatedAt * 1000)), last_used_at = now() where id = \(id)
        """
    }
}

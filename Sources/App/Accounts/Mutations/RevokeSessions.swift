import GraphQL
import Postgres

/// The sessions that a mutation has ended.
struct RevokedSessionIDs: ObjectValue {
    let ids: [TypeID]

    static let binding: Binding = ObjectBinding<Payload<RevokedSessionIDs>, RequestContext>("RevokeSessionsPayload") {
        $0.field("revokedSessionIds") { $0.object?.ids ?? [] }
        $0.payloadFields()
    }
}

protocol SessionRevocation: Mutation where Object == RevokedSessionIDs {}

extension SessionRevocation {
    static func pool(_ pools: Pools) -> Pool { worker(pools) }

    /// The write also ends the account's device tokens, since the holder of a revoked session may have one. Every
    /// transaction locks credentials before sessions.
    var lock: SQL? { Credentials.lockOwn }

    func committed(_ written: Rows, in context: RequestContext) throws {
        context.refuse(sessions: try written.first { $0.uuids(0) } ?? [])
    }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> RevokedSessionIDs? {
        RevokedSessionIDs(ids: (row?.uuids(0) ?? outcome.ids).map { TypeID(.session, $0) })
    }
}

/// Revoking a session that has ended already succeeds. The session may be the current one.
struct RevokeSession: SessionRevocation {
    static let name = "revokeSession"

    let id: UUID
    private let environment: Environment

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try input.id(.session, "sessionId")
        environment = context.environment
    }

    var outcome: SQL { "jsonb_build_object('id', \(id), 'ids', jsonb_build_array(\(id)))" }

    var write: SQL {
        """
        with \(EndSession.parts(where: "s.id = \(id) and s.user_id = viewer_id()", environment)), \
        \(Credentials.endOwnDeviceTokens) \
        select array[s.id] from (select) as one left join sessions s on s.id = \(id) and s.user_id = viewer_id() \
        where s.id is not null or refuse('NOT_FOUND')
        """
    }
}

struct RevokeOtherSessions: SessionRevocation {
    static let name = "revokeOtherSessions"

    let id: UUID
    private let session: UUID
    private let environment: Environment

    init(_ input: InputObject, _ context: RequestContext) throws {
        let viewer = try context.requireViewer()
        (id, session, environment) = (viewer.userID, viewer.sessionID, context.environment)
    }

    var outcome: SQL {
        """
        jsonb_build_object('id', \(id), 'ids', (select coalesce(jsonb_agg(s.id), '[]') from sessions s \
        where s.revoked_at is null and s.user_id = viewer_id() and s.id <> \(session)))
        """
    }

    var write: SQL {
        """
        with \(EndSession.parts(ofAccount: "viewer_id()", except: session, environment)), \
        \(Credentials.endOwnDeviceTokens) select \(unsafe: EndSession.ids)
        """
    }
}

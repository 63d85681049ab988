import GraphQL
import Postgres

/// The tokens of a session that began or was refreshed, and its viewer.
struct IssuedSession: Sendable {
    let accessToken: String
    let expiresAt: Timestamp
    let refreshToken: String
    /// nil for an anonymous account, which has no password.
    let deviceToken: String?
    let viewer: RequestContext.Viewer
}

struct SessionPayload: ObjectValue {
    var issued: IssuedSession?
    var clientMutationId: String?
    var userErrors: [UserError] = []

    static let binding: Binding = ObjectBinding<SessionPayload, RequestContext>("SessionPayload") { payload in
        payload.field("accessToken") { $0.issued?.accessToken }
        payload.field("accessTokenExpiresAt") { $0.issued?.expiresAt }
        payload.field("refreshToken") { $0.issued?.refreshToken }
        payload.field("deviceToken") { $0.issued?.deviceToken }
        payload.load("session") { payloads, context in
            context.context.ofIssued(payloads) { OwnSessions(ids: [$0.sessionID]) }
        }
        payload.load("viewer") { payloads, context in context.context.ofIssued(payloads) { _ in CurrentViewer() } }
        payload.field("clientMutationId", \.clientMutationId)
        payload.field("userErrors", \.userErrors)
    }
}

extension RequestContext {
    /// Reads on the primary, because a standby may lack the rows just written.
    fileprivate func ofIssued<S: Statement>(
        _ payloads: [SessionPayload], _ statement: (Viewer) -> S
    ) -> Pending<[S.Output?]> {
        let rows = payloads.map { payload in
            payload.issued.map { environment.pools.write.start(statement($0.viewer), settings: settings) }
        }
        return Pending {
            var outputs: [S.Output?] = []
            for row in rows { outputs.append(try await row?.value.first) }
            return outputs
        }
    }
}

extension ObjectFields where Parent == Root, Context == RequestContext {
    /// Registers a mutation that issues tokens. It makes no claim: the clientMutationId is only returned.
    mutating func session(
        _ name: String,
        _ run: @escaping @Sendable (RequestContext, InputObject) async throws -> SessionPayload
    ) {
        batch(name) { _, context in
            let input: InputObject = try context.arguments.decode(InputObject?.self, "input") ?? InputObject()
            let clientMutationId = try Claim.clientMutationId(of: input)
            var payload = try await run(context.context, input)
            payload.clientMutationId = clientMutationId
            if let issued = payload.issued {
                context.context.sign(in: issued.viewer)
                await context.context.noteWrites(in: context.context.environment.pools.worker)
            }
            return [payload]
        }
    }
}

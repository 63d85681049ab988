import GraphQL
import Postgres

/// Hides the account with all that it owns, and ends its sessions, at once. `AccountRemoval` removes the rows later.
struct DeleteAccount: Mutation {
    static let name = "deleteAccount"

    let id: UUID
    private let environment: Environment
    private let password: Secret?
    /// nil for an anonymous account.
    private var passwordHash: String?

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try context.requireViewer().userID
        environment = context.environment
        password = try input.decode("password")
    }

    static func pool(_ pools: Pools) -> Pool { worker(pools) }

    mutating func prepare(_ context: RequestContext) async throws -> [UserError] {
        guard let account = try await environment.pools.worker.run(CredentialsOfAccount(id: id)).first?.login else {
            return []
        }
        let problem = try await context.problem(with: password ?? Secret(""), "password", of: account)
        if let problem { return [problem] }
        passwordHash = account.passwordHash
        return []
    }

    /// Locks the credentials first, as a sign-in does, so that the session of a concurrent sign-in is ended too.
    var lock: SQL? {
        """
        with k as materialized (select from credentials where user_id = viewer_id() for update) \
        select from users where id = viewer_id() and (select count(*) from k) >= 0 for update
        """
    }

    /// Also frees the account's username and address for others.
    var write: SQL {
        """
        with gone as (insert into deleted_accounts (user_id) select u.id from users u \
        left join credentials k on k.user_id = u.id where u.id = viewer_id() \
        and k.password_hash is not distinct from \(passwordHash) and (u.is_anonymous or k.user_id is not null) \
        and not \(Credentials.isDeleted("u.id")) \
        on conflict do nothing returning user_id), \
        \(EndSession.parts(ofAccount: "(select user_id from gone)", environment)), \
        nameless as (update users set username = null where id = (select user_id from gone)), \
        closed as (delete from credentials where user_id = (select user_id from gone)), \
        dead as (delete from one_time_tokens where user_id = (select user_id from gone)) \
        select \(unsafe: EndSession.ids) where case when exists (select from gone) then true \
        \(Credentials.refuseDeleted()) else refuse('USER_ERRORS', 'WRONG_CREDENTIALS password') end
        """
    }

    func committed(_ written: Rows, in context: RequestContext) throws {
        context.refuse(sessions: try written.first { $0.uuids(0) } ?? [])
    }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> EmptyPayloadObject? { true }
}

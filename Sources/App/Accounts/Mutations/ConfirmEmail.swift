import Auth
import GraphQL
import Postgres

/// The mutation needs no session and starts none: the token proves that the client reads the mail of the address.
struct ConfirmEmail: ViewerMutation {
    static let name = "confirmEmail"
    static let needsViewer = false

    let id: UUID
    private let environment: Environment
    private let hash: [UInt8]
    let userErrors: [UserError]

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = context.viewer?.userID ?? Self.nobody
        environment = context.environment
        let token = OneTimeToken(try input.decode("token"))
        hash = token?.hash.bytes ?? []
        userErrors = token == nil ? [.expiredToken] : []
    }

    static func pool(_ pools: Pools) -> Pool { worker(pools) }

    mutating func prepare(_ context: RequestContext) async throws -> [UserError] {
        try await context.take(environment.limits.tokens)
        return []
    }

    var lock: SQL? { Credentials.lock(ofToken: hash) }

    var write: SQL {
        """
        with token as (delete from one_time_tokens where hash = \(hash) and purpose = 'CONFIRM_EMAIL' \
        and expires_at > now() returning user_id, email), \
        confirmed as (update credentials k set email = t.email, email_verified_at = now(), \
        pending_email = case when k.pending_email <> t.email then k.pending_email end, updated_at = now() \
        from token t join credentials o on o.user_id = t.user_id where k.user_id = o.user_id \
        and t.email in (o.email, o.pending_email) \
        returning k.user_id, k.email, o.email as former), \
        changed as (select * from confirmed where former <> email), \
        dead as (delete from one_time_tokens where user_id = (select user_id from changed) and hash <> \(hash)), \
        mailed as (\(NewMail(environment, .emailChanged).insert(from: "select former, user_id, email from changed"))) \
        select true where case when exists (select from confirmed) then true \
        else refuse('USER_ERRORS', 'EXPIRED token') end
        """
    }

    /// The constraint fails if another account took the address before it was confirmed.
    static func userError(constraint: String) -> UserError? {
        constraint == "credentials_email_key"
            ? UserError(.taken, "This e-mail address has an account already.", "token") : nil
    }
}

extension UserError {
    static let expiredToken = UserError(stored: "EXPIRED token") ?? UserError(.expired, "", "token")
}

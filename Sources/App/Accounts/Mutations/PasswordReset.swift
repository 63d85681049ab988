import Auth
import GraphQL
import Postgres

/// Queues a mail whether or not an account has the address, so that neither the answer nor its time reveals that. The
/// account is looked up when the mail is sent.
struct RequestPasswordReset: Mutation {
    static let name = "requestPasswordReset"
    static let needsViewer = false

    let id: UUID
    private let environment: Environment
    private let email: EmailAddress?
    let userErrors: [UserError]

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = context.viewer?.userID ?? Self.nobody
        environment = context.environment
        var texts = InputText()
        email = texts.email(try input.decode("email"))
        userErrors = texts.errors
    }

    static func pool(_ pools: Pools) -> Pool { worker(pools) }

    mutating func prepare(_ context: RequestContext) async throws -> [UserError] {
        try await context.take(environment.limits.addressMails)
        // Counted by requesting address and recipient, so that requests of others do not use up the owner's.
        try await context.take(environment.limits.mails, about: email?.text ?? "")
        return []
    }

    var write: SQL {
        // An account of an earlier release can be stored with the address as it was typed.
        let stored: SQL = "(select email from credentials where email = \(email?.formerText))"
        return NewMail(environment, .resetPassword).insert(
            recipient: "coalesce(\(stored), \(email?.text))", user: "null")
    }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> EmptyPayloadObject? { true }
}

/// Ends every session of the account and starts none. It also ends what may have been prepared by somebody who knew the
/// old password.
struct ResetPassword: Mutation {
    static let name = "resetPassword"
    static let needsViewer = false

    let id: UUID
    private let environment: Environment
    private let hash: [UInt8]
    private let password: NewPassword
    private var passwordHash = ""
    let userErrors: [UserError]

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = context.viewer?.userID ?? Self.nobody
        environment = context.environment
        password = try NewPassword(input)
        let token = OneTimeToken(try input.decode("token"))
        hash = token?.hash.bytes ?? []
        userErrors =
            token == nil ? [.expiredToken] + password.errors(environment.passwordRules, username: nil, email: nil) : []
    }

    static func pool(_ pools: Pools) -> Pool { worker(pools) }

    mutating func prepare(_ context: RequestContext) async throws -> [UserError] {
        try await context.take(environment.limits.tokens)
        let account = try await environment.pools.worker.run(ResettableAccount(token: hash)).first
        var errors = account == nil ? [UserError.expiredToken] : []
        errors += password.errors(environment.passwordRules, username: account?.username, email: account?.email)
        guard errors.isEmpty else { return errors }
        // A valid link vouches for the client, so that its hash is not queued behind the sign-in attempts of strangers.
        let client = context.hashingClient(account?.email ?? "", isVouchedFor: account != nil)
        passwordHash = try await context.hashed { try await environment.passwords.hash(password.text, for: client) }
        return []
    }

    var lock: SQL? { Credentials.lock(ofToken: hash) }

    /// Using the link also confirms the address, to which its mail was delivered, and forgets failed sign-in attempts,
    /// which ends their back-off.
    var write: SQL {
        """
        with changed as (update credentials k set password_hash = \(passwordHash), \(unsafe: Credentials.endDeviceTokens), \
        pending_email = null, email_verified_at = coalesce(k.email_verified_at, now()), updated_at = now() \
        from one_time_tokens t where t.user_id = k.user_id and \(ResettableAccount.condition(hash)) \
        returning k.user_id, k.email), \
        \(EndSession.parts(ofAccount: "(select user_id from changed)", environment)), \(Credentials.endLinks), \
        forgotten as (delete from sign_in_attempts where login_hash in (select sha256(convert_to(login, 'UTF8')) \
        from changed join users u on u.id = changed.user_id cross join unnest(array[changed.email, u.username]) as login)), \
        mailed as (\(NewMail(environment, .passwordChanged).insert(from: "select email, user_id, null from changed"))) \
        select \(unsafe: EndSession.ids) where case when exists (select from changed) then true \
        else refuse('USER_ERRORS', 'EXPIRED token') end
        """
    }

    func committed(_ written: Rows, in context: RequestContext) throws {
        context.refuse(sessions: try written.first { $0.uuids(0) } ?? [])
    }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> EmptyPayloadObject? { true }
}

/// The account whose password a valid token resets.
struct ResettableAccount: Statement {
    struct Output: Sendable {
        let email: String
        let username: String?
    }

    let token: [UInt8]

    /// The aliases `t` and `k` are the token and the credentials.
    static func condition(_ token: [UInt8]) -> SQL {
        """
        t.hash = \(token) and t.purpose = 'RESET_PASSWORD' and t.expires_at > now() and t.email = k.email
        """
    }

    var sql: SQL {
        """
        select k.email, u.username from one_time_tokens t join credentials k on k.user_id = t.user_id \
        join users u on u.id = k.user_id where \(Self.condition(token))
        """
    }

    func decode(_ row: Row) -> Output { Output(email: row.string(0), username: row.string(optional: 1)) }
}

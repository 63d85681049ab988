import GraphQL
import Postgres

/// A mutation that changes the viewer's account and returns it.
protocol ViewerMutation: Mutation where Object == ViewerAccount {}

extension ViewerMutation {
    var result: SQL? { CurrentViewer().sql }

    static func replay(_ outcome: MutationOutcome) -> SQL? { CurrentViewer().sql }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> ViewerAccount? {
        row.map { ViewerAccount(row: $0) }
    }
}

extension Mutation {
    /// The pool of mutations that read or write credentials: the role `tertulia_server` can read no password hash and
    /// write no address.
    static func worker(_ pools: Pools) -> Pool { pools.worker }

    /// The `id` of a mutation without a viewer: the nil UUID, which no row has.
    static var nobody: UUID { UUID(high: 0, low: 0) }
}

/// The object of a payload that has no fields but `clientMutationId` and `userErrors`.
typealias EmptyPayloadObject = Bool

extension RequestContext {
    /// The credentials of the viewer's account.
    /// - Throws: FORBIDDEN with SIGN_UP_REQUIRED for an anonymous account, which has none; UNAUTHENTICATED for a deleted
    ///   account, whose access token may still be accepted for a moment.
    func ownCredentials() async throws -> CredentialsOfAccount.Output {
        let id = try requireViewer().userID
        let worker = environment.pools.worker
        if let found = try await worker.run(CredentialsOfAccount(id: id)).first { return found }
        let isDeleted = try await worker.run(IsDeletedAccount(id: id)).first
        throw isDeleted == true ? ExecutionError.unauthenticated : .forbidden(reason: "SIGN_UP_REQUIRED")
    }

    /// The user error of a wrong or empty password, or nil if the password is the account's. An empty one does not
    /// count as an attempt.
    func problem(
        with password: Secret, _ field: String, of account: CredentialsByLogin.Output
    ) async throws -> UserError? {
        if password.text.isEmpty { return .missingPassword(field) }
        return try await isPassword(password, of: account) ? nil : .wrongPassword(field)
    }

    /// Whether the password is the account's. Failures count and lead to back-off, as those of signing in do.
    func isPassword(_ password: Secret, of account: CredentialsByLogin.Output) async throws -> Bool {
        let attempt = SignInAttempt(account: account.userID)
        try await begin(attempt)
        let client = hashingClient(account.userID.description)
        let verification = try await hashed(attempt) {
            try await environment.passwords.verify(password.text, against: account.passwordHash, for: client)
        }
        guard verification != .invalid else { return false }
        _ = try await environment.pools.worker.run(Segment([attempt.forget]))
        return true
    }

    /// Counts a mail against the account's rate of mails.
    func takeMail(of account: UUID) async throws { try await take(environment.limits.mails, of: account) }
}

struct CredentialsOfAccount: Statement {
    struct Output: Sendable {
        let login: CredentialsByLogin.Output
        let email: String
        let username: String?
    }

    let id: UUID

    var sql: SQL {
        """
        select \(unsafe: CredentialsByLogin.columns), k.email, u.username \
        from credentials k join users u on u.id = k.user_id where k.user_id = \(id)
        """
    }

    func decode(_ row: Row) -> Output {
        Output(login: CredentialsByLogin.Output(row), email: row.string(3), username: row.string(optional: 4))
    }
}

private struct IsDeletedAccount: Statement {
    let id: UUID

    var sql: SQL { "select \(Credentials.isDeleted("\(id)"))" }

    func decode(_ row: Row) -> Bool { row.bool(0) }
}

enum Credentials {
    /// True if the account is deleted. An anonymous account counts as deleted as soon as its merge into another account has
    /// begun. The account's rows may be gone.
    /// - Parameter account: a value, or a column with the alias of its table.
    static func isDeleted(_ account: SQL) -> SQL {
        """
        (not exists (select from users where id = \(account)) \
        or exists (select from deleted_accounts where user_id = \(account)) \
        or exists (select from account_merges where source_id = \(account) \
        and (select is_anonymous from users where id = source_id)))
        """
    }

    /// A branch of a `case` that refuses an account that is deleted and whose access token is still accepted. A write
    /// that finds no credentials of the account, or not those that it expects, has this branch before its own refusal.
    static func refuseDeleted(_ account: SQL = "viewer_id()") -> SQL {
        "when \(isDeleted(account)) then refuse('UNAUTHENTICATED')"
    }

    /// An assignment for an update of the credentials that ends all device tokens: their devices count as strangers
    /// again.
    static let endDeviceTokens: StaticString = "device_generation = device_generation + 1"

    /// A common table expression that ends the device tokens of the viewer's account.
    static let endOwnDeviceTokens: SQL = """
        strange as (update credentials set \(unsafe: endDeviceTokens) where user_id = viewer_id())
        """

    /// Common table expressions that end all mailed links of an account and delete queued mails that would carry one.
    /// The expression `changed` has the account's `user_id` and `email`.
    static let endLinks: SQL = """
        dead as (delete from one_time_tokens where user_id = (select user_id from changed)), \
        unconfirmed as (delete from mails where user_id = (select user_id from changed) and kind = 'CONFIRM_EMAIL'), \
        unsent as (delete from mails where user_id is null and recipient = (select email from changed) \
        and kind = 'RESET_PASSWORD')
        """

    /// Serialises concurrent changes of an account with each other and with sign-ins.
    static let lockOwn: SQL = "select from credentials where user_id = viewer_id() for update"

    static func endDeviceTokens(of account: UUID) -> SQL {
        "update credentials set \(unsafe: endDeviceTokens) where user_id = \(account)"
    }

    static func lock(ofToken hash: [UInt8]) -> SQL {
        """
        select from credentials where user_id = (select user_id from one_time_tokens where hash = \(hash)) for update
        """
    }
}

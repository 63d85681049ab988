import GraphQL
import Postgres

/// A mutation of the account itself, which answers with it.
protocol ViewerMutation: Mutation where Object == ViewerAccount {}

extension ViewerMutation {
    var result: SQL? { CurrentViewer().sql }

    static func replay(_ outcome: MutationOutcome) -> SQL? { CurrentViewer().sql }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> ViewerAccount? {
        row.map { ViewerAccount(row: $0) }
    }
}

extension Mutation {
    /// What needs credentials runs as the worker: the server's role reads no password hash and writes no address.
    static func worker(_ pools: Pools) -> Pool { pools.worker }

    /// Nobody's: no row has the nil UUID.
    static var nobody: UUID { UUID(high: 0, low: 0) }
}

/// What stands in an answer that has nothing but userErrors.
typealias Nothing = Bool

extension RequestContext {
    /// The account's row, for a mutation that changes it. An anonymous account has none.
    func ownCredentials() async throws -> CredentialsOfAccount.Output {
        let viewer = try requireViewer()
        guard let found = try await environment.pools.worker.run(CredentialsOfAccount(id: viewer.userID)).first else {
            throw ExecutionError.forbidden(reason: "SIGN_UP_REQUIRED")
        }
        return found
    }

    /// The error of a wrong or empty password; nil where it is the account's. An empty one is not counted as a try.
    func problem(
        with password: String, _ field: String, of account: CredentialsByLogin.Output
    ) async throws -> UserError? {
        if password.isEmpty { return .missingPassword(field) }
        return try await isPassword(password, of: account) ? nil : .wrongPassword(field)
    }

    /// Whether it is the account's password; failures count, and have to wait, as those of signing in.
    func isPassword(_ password: String, of account: CredentialsByLogin.Output) async throws -> Bool {
        let attempt = SignInAttempt(account: account.userID)
        try await begin(attempt)
        let client = hashingClient(account.userID.description)
        let verification = try await hashed(attempt) {
            try await environment.passwords.verify(password, against: account.passwordHash, for: client)
        }
        guard verification != .invalid else { return false }
        _ = try await environment.pools.worker.run(Segment([attempt.forget]))
        return true
    }

    /// One of the mails that an account may ask for in an hour.
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

enum Credentials {
    /// For an update of the row: the devices that signed in before count as strangers again.
    static let endDeviceTokens: StaticString = "device_generation = device_generation + 1"

    /// For a statement that begins with `with`.
    static let endOwnDeviceTokens: SQL = """
        strange as (update credentials set \(unsafe: endDeviceTokens) where user_id = viewer_id())
        """

    /// Two changes at once, and a sign-in beside them, go one after another.
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

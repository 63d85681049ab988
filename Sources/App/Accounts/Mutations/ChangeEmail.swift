import GraphQL
import Postgres

/// Stores the new address as pending and mails a link to it: confirming the link changes the address. The present
/// address is notified at once.
struct ChangeEmail: ViewerMutation {
    static let name = "changeEmail"

    let id: UUID
    private let environment: Environment
    private let password: Secret
    private let email: EmailAddress?
    private let emailErrors: [UserError]
    private var passwordHash = ""

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try context.requireViewer().userID
        environment = context.environment
        password = try input.decode("password")
        var texts = InputText()
        email = texts.email(try input.decode("newEmail"), field: "newEmail")
        emailErrors = texts.errors
    }

    static func pool(_ pools: Pools) -> Pool { worker(pools) }

    mutating func prepare(_ context: RequestContext) async throws -> [UserError] {
        let account = try await context.ownCredentials()
        if let problem = try await context.problem(with: password, "password", of: account.login) {
            guard let email, !email.isStored(as: account.email), try await context.hasAccount(email) else {
                return [problem] + emailErrors
            }
            return [problem, .newEmailTaken]
        }
        guard let email else { return emailErrors }
        passwordHash = account.login.passwordHash
        // Giving the present address cancels a pending change and sends no mail.
        if !email.isStored(as: account.email) { try await context.takeMail(of: id) }
        return []
    }

    var lock: SQL? { Credentials.lockOwn }

    var write: SQL {
        let spellings = email?.spellings ?? []
        return """
            with changed as (update credentials k set updated_at = now(), \
            pending_email = case when k.email <> all(\(spellings)) then \(email?.text) end \
            where k.user_id = viewer_id() and k.password_hash = \(passwordHash) \
            and refuse_user_errors(array[case when exists (select from credentials o \
            where o.email = any(\(spellings)) and o.user_id <> viewer_id()) then 'TAKEN newEmail' end]) \
            returning k.user_id, k.email, k.pending_email), \
            dead as (delete from one_time_tokens where user_id = (select user_id from changed) \
            and purpose = 'CONFIRM_EMAIL'), \
            asked as (\(NewMail(environment, .confirmEmail).insert(
            from: "select pending_email, user_id, null from changed where pending_email is not null"))), \
            mailed as (\(NewMail(environment, .emailChangeRequested).insert(
            from: "select email, user_id, pending_email from changed where pending_email is not null"))) \
            select true where case when exists (select from changed) then true \
            \(Credentials.refuseDeleted()) else refuse('USER_ERRORS', 'WRONG_CREDENTIALS password') end
            """
    }
}

extension UserError {
    static let newEmailTaken = UserError(stored: "TAKEN newEmail") ?? UserError(.taken, "", "newEmail")
}

extension RequestContext {
    /// Whether an account has this address. The check counts against the rate of sign-ups, since signing up reveals the
    /// same.
    fileprivate func hasAccount(_ email: EmailAddress) async throws -> Bool {
        try await take(environment.limits.signUps)
        let names = TakenNames(username: nil, disguise: nil, email: email)
        return try await environment.pools.worker.run(names).first?.contains(.emailTaken) == true
    }
}

/// Sends a link to the pending address, or else to the present one if it is unconfirmed. If neither applies, no mail is
/// sent.
struct RequestEmailConfirmation: ViewerMutation {
    static let name = "requestEmailConfirmation"

    let id: UUID
    private let environment: Environment

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try context.requireViewer().userID
        environment = context.environment
    }

    static func pool(_ pools: Pools) -> Pool { worker(pools) }

    mutating func prepare(_ context: RequestContext) async throws -> [UserError] {
        try await context.takeMail(of: id)
        return []
    }

    var write: SQL {
        """
        with account as (select k.user_id, coalesce(k.pending_email, \
        case when k.email_verified_at is null then k.email end) as email \
        from credentials k where k.user_id = viewer_id()), \
        asked as (\(NewMail(environment, .confirmEmail).insert(
            from: "select email, user_id, null from account where email is not null"))) \
        select true where case when exists (select from account) then true \
        \(Credentials.refuseDeleted()) else refuse('FORBIDDEN', 'SIGN_UP_REQUIRED') end
        """
    }
}

import Auth
import GraphQL
import Postgres

/// Also ends the account's other sessions, all its device tokens, its pending address and its links, since they may
/// belong to somebody who knew the old password. The current session gets a new device token at its next refresh.
struct ChangePassword: ViewerMutation {
    static let name = "changePassword"

    let id: UUID
    private let session: UUID
    private let environment: Environment
    private let current: Secret
    private let password: NewPassword
    private var currentHash = ""
    private var newHash = ""

    init(_ input: InputObject, _ context: RequestContext) throws {
        let viewer = try context.requireViewer()
        (id, session, environment) = (viewer.userID, viewer.sessionID, context.environment)
        current = try input.decode("currentPassword")
        password = try NewPassword(input)
    }

    static func pool(_ pools: Pools) -> Pool { worker(pools) }

    mutating func prepare(_ context: RequestContext) async throws -> [UserError] {
        let account = try await context.ownCredentials()
        let errors =
            [try await context.problem(with: current, "currentPassword", of: account.login)].compactMap { $0 }
            + password.errors(environment.passwordRules, username: account.username, email: account.email)
        guard errors.isEmpty else { return errors }
        currentHash = account.login.passwordHash
        let client = context.hashingClient(id.description)
        newHash = try await context.hashed { try await environment.passwords.hash(password.text, for: client) }
        return []
    }

    var lock: SQL? { Credentials.lockOwn }

    var write: SQL {
        """
        with changed as (update credentials set password_hash = \(newHash), \(unsafe: Credentials.endDeviceTokens), \
        pending_email = null, updated_at = now() where user_id = viewer_id() and password_hash = \(currentHash) \
        returning user_id, email), \
        \(EndSession.parts(ofAccount: "(select user_id from changed)", except: session, environment)), \
        \(Credentials.endLinks), \
        mailed as (\(NewMail(environment, .passwordChanged).insert(from: "select email, user_id, null from changed"))) \
        select \(unsafe: EndSession.ids) where case when exists (select from changed) then true \
        \(Credentials.refuseDeleted()) else refuse('USER_ERRORS', 'WRONG_CREDENTIALS currentPassword') end
        """
    }

    func committed(_ written: Rows, in context: RequestContext) throws {
        context.refuse(sessions: try written.first { $0.uuids(0) } ?? [])
    }
}

/// The new password of an input, and its confirmation.
struct NewPassword {
    private let password: Secret
    private let confirmation: Secret?

    init(_ input: InputObject) throws {
        password = try input.decode("newPassword")
        confirmation = try input.decode("newPasswordConfirmation")
    }

    var text: String { password.text }

    func errors(_ rules: PasswordRules, username: String?, email: String?) -> [UserError] {
        var errors: [UserError] = []
        if let problem = rules.problem(with: text, username: username, email: email) {
            errors.append(UserError(problem, field: "newPassword"))
        }
        if let confirmation, confirmation != password {
            errors.append(UserError(.mismatch, "The two passwords differ.", "newPasswordConfirmation"))
        }
        return errors
    }
}

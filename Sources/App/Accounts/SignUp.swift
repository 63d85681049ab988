import Auth
import GraphQL
import Postgres

struct SignUpInput: InputObjectDecodable {
    let displayName: String?
    let username: String?
    let email: String
    let password: Secret
    let passwordConfirmation: Secret?

    init(input: InputObject) throws {
        displayName = try input.decode("displayName")
        username = try input.decode("username")
        email = try input.decode("email")
        password = try input.decode("password")
        passwordConfirmation = try input.decode("passwordConfirmation")
    }
}

/// The values of a sign-up as they are stored, and all errors that the person can correct.
struct CheckedSignUp {
    let displayName: String?
    let username: String?
    let email: EmailAddress?
    private(set) var errors: [UserError]

    init(_ input: SignUpInput, _ rules: PasswordRules) {
        var texts = InputText()
        displayName = texts.optional(
            input.displayName, "displayName", "The name", maximum: InputText.nameLength.upperBound,
            maximumBytes: InputText.nameBytes)
        texts.checkName(displayName)
        username = texts.username(input.username)
        email = texts.email(input.email)
        if let problem = rules.problem(with: input.password.text, username: username, email: email?.text) {
            texts.add(UserError(problem, field: "password"))
        }
        if let confirmation = input.passwordConfirmation, confirmation != input.password {
            texts.add(UserError(.mismatch, "The two passwords differ.", "passwordConfirmation"))
        }
        errors = texts.errors
    }

    mutating func add(_ taken: [UserError]) { errors += taken }
}

extension RequestContext {
    /// Within an anonymous session the account stays the same and gets credentials.
    func signUp(_ input: SignUpInput) async throws -> SessionPayload {
        // Counted by address: there is no account yet to count by, and each attempt may cost a password hash.
        try await take(environment.limits.signUps)
        var checked = CheckedSignUp(input, environment.passwordRules)
        checked.add(try await taken(checked))
        guard checked.errors.isEmpty, let email = checked.email?.text else {
            return SessionPayload(userErrors: checked.errors)
        }
        let client = hashingClient(email)
        let passwordHash = try await hashed { try await environment.passwords.hash(input.password.text, for: client) }
        let account = NewAccount(
            id: environment.newID(), displayName: checked.displayName, username: checked.username,
            email: email, passwordHash: passwordHash)
        let upgraded = try await anonymousViewer()
        let session = NewSession(
            id: upgraded?.sessionID ?? environment.newID(), userID: upgraded?.userID ?? account.id,
            userAgent: userAgent, address: address)
        do {
            var segment = Segment()
            if let upgraded {
                segment.append(account.upgrade(upgraded.userID))
                segment.append(account.refuseDeleted(upgraded.userID))
                segment.append(account.insertCredentials(of: upgraded.userID))
                segment.append(session.replaceTokens)
            } else {
                segment.append(account.insert)
                segment.append(account.insertCredentials(of: account.id))
                segment.append(session.insert)
            }
            segment.append(
                NewMail(environment, .confirmEmail).insert(recipient: "\(account.email)", user: "\(session.userID)"))
            _ = try await environment.pools.worker.run(segment)
        } catch PostgresError.constraint("users_username_key"), PostgresError.constraint("users_username_skeleton_key")
        {
            return SessionPayload(userErrors: [.usernameTaken])
        } catch PostgresError.constraint("credentials_email_key") {
            return SessionPayload(userErrors: [.emailTaken])
        } catch PostgresError.constraint("credentials_pkey") {
            return SessionPayload(userErrors: [UserError(.conflict, "This account has signed up already.", "")])
        }
        return SessionPayload(issued: issue(session, deviceGeneration: 0))
    }

    private func taken(_ account: CheckedSignUp) async throws -> [UserError] {
        let names = TakenNames(
            username: account.username, disguise: account.displayName.flatMap(NameDisguise.init), email: account.email)
        return try await environment.pools.worker.run(names).first ?? []
    }

    /// The viewer, if its account is still anonymous.
    /// - Throws: UNAUTHENTICATED for an account that is deleted or being merged. Its access token may still be accepted for
    ///   a moment.
    private func anonymousViewer() async throws -> Viewer? {
        guard let viewer else { return nil }
        let isAnonymous = try await environment.pools.worker.run(IsAnonymous(id: viewer.userID)).first
        guard let isAnonymous else { throw ExecutionError.unauthenticated }
        return isAnonymous ? viewer : nil
    }
}

struct TakenNames: Statement {
    let username: String?
    let disguise: NameDisguise?
    let email: EmailAddress?

    var sql: SQL {
        """
        select username_is_taken(\(username), null), \
        imitates_somebody(\(disguise?.name), \(disguise?.skeleton), null), \
        exists (select from credentials where email = any(\(email?.spellings ?? [])))
        """
    }

    func decode(_ row: Row) -> [UserError] {
        (row.bool(0) ? [.usernameTaken] : []) + (row.bool(1) ? [.nameAlike] : [])
            + (row.bool(2) ? [.emailTaken] : [])
    }
}

/// No row for an account that is deleted or being merged.
struct IsAnonymous: Statement {
    let id: UUID

    var sql: SQL {
        "select is_anonymous from users where id = \(id) and not \(Credentials.isDeleted("\(id)"))"
    }

    func decode(_ row: Row) -> Bool { row.bool(0) }
}

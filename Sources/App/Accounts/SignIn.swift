import Auth
import GraphQL
import Postgres

struct SignInInput: InputObjectDecodable {
    let login: String
    let password: String
    let mergeAnonymous: Bool

    init(input: InputObject) throws {
        login = try input.decode("login")
        password = try input.decode("password")
        mergeAnonymous = try input.decode("mergeAnonymous")
    }

    var missing: [UserError] {
        (login.trimmed.isEmpty ? [UserError(.required, "The login is missing.", "login")] : [])
            + (password.isEmpty ? [.missingPassword("password")] : [])
    }
}

extension RequestContext {
    /// An unknown login costs what a wrong password costs, and gets the same answer.
    func signIn(_ input: SignInInput) async throws -> SessionPayload {
        let missing = input.missing
        guard missing.isEmpty else { return SessionPayload(userErrors: missing) }
        try await takeToken(
            "sign-in", capacity: environment.limits.signInsPerAddress, seconds: environment.limits.signInWindow)
        let login = input.login.trimmed.lowercased()
        let attempt = SignInAttempt(login)
        try await begin(attempt)
        guard !login.utf8.contains(0),
            let found = try await environment.pools.worker.run(CredentialsByLogin(login: login)).first
        else {
            try await hashed(attempt) { try await environment.passwords.verifyDummy(input.password) }
            return wrongCredentials
        }
        let verification = try await hashed(attempt) {
            try await environment.passwords.verify(input.password, against: found.passwordHash)
        }
        guard verification != .invalid else { return wrongCredentials }
        let session = NewSession(
            id: environment.newID(), userID: found.userID, userAgent: userAgent, address: address)
        var segment = Segment([session.insert(whilePasswordHashIs: found.passwordHash)])
        if verification == .validNeedsRehash {
            let passwordHash = try await hashed { try await environment.passwords.hash(input.password) }
            segment.append(found.renew(passwordHash))
        }
        segment.append(attempt.forget)
        let merged = input.mergeAnonymous ? viewer.map { MergedAccount(source: $0.userID, session: session) } : nil
        if let merged { segment.append(merged.endSessions(environment)) }
        if let merged { segment.append(merged.move) }
        let rows = try await environment.pools.worker.retrying(segment)
        guard rows.first?.affected == 1 else { return wrongCredentials }
        if merged != nil {
            refuse(sessions: rows[rows.count - 2].first?.uuids(0) ?? [])
            environment.changes.noteWrite()
        }
        return SessionPayload(issued: issue(session, isAnonymous: false))
    }

    private var wrongCredentials: SessionPayload {
        SessionPayload(
            userErrors: [UserError(.wrongCredentials, "The login or the password is wrong.", "password")])
    }

    func signInAnonymously() async throws -> SessionPayload {
        try await takeToken("anonymous", capacity: environment.limits.anonymousAccountsPerHour, seconds: 3600)
        let id = environment.newID()
        let session = NewSession(id: environment.newID(), userID: id, userAgent: userAgent, address: address)
        let account: SQL =
            "insert into users (id, display_name, is_anonymous) values (\(id), \(GeneratedName.of(id)), true)"
        _ = try await environment.pools.worker.run(Segment([account, session.insert]))
        return SessionPayload(issued: issue(session, isAnonymous: true))
    }

    func issue(_ session: NewSession, isAnonymous: Bool) -> IssuedSession {
        issue(session.token, session: session.id, user: session.userID, isAnonymous: isAnonymous)
    }

    func issue(_ token: RefreshToken, session: UUID, user: UUID, isAnonymous: Bool) -> IssuedSession {
        let signed = environment.tokens.sign(
            subject: TypeID(.user, user).description, session: TypeID(.session, session).description,
            isAnonymous: isAnonymous, now: environment.unixSeconds)
        return IssuedSession(
            accessToken: signed.token, expiresAt: Timestamp(unixMilliseconds: signed.claims.expiresAt * 1000),
            refreshToken: token.text, viewer: Viewer(userID: user, sessionID: session))
    }

    /// Passwords are hashed on threads of their own; when too many wait, the client waits instead.
    func hashed<Value>(_ hash: () async throws -> Value) async throws -> Value {
        do {
            return try await hash()
        } catch HasherError.busy(let retryAfter) {
            throw ExecutionError.unavailable(retryAfter: retryAfter)
        } catch HasherError.cancelled {
            throw CancellationError()
        }
    }

    /// A bucket of the client's address that all replicas share. A capacity of 0 means: no limit.
    func takeToken(_ name: String, capacity: Int, seconds: Double) async throws {
        guard capacity > 0, let address else { return }
        let bucket = TakeToken(key: "\(name) \(address)", capacity: Double(capacity), seconds: seconds)
        if let wait = try await environment.pools.worker.run(bucket).first, wait > 0 {
            throw ExecutionError.rateLimited(retryAfter: wait)
        }
    }
}

struct TakeToken: Statement {
    let key: String
    let capacity: Double
    let seconds: Double

    var sql: SQL { "select take_token(\(key), \(capacity), \(capacity / seconds))" }

    func decode(_ row: Row) -> Double { row.double(0) }
}

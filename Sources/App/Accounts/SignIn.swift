import Auth
import GraphQL
import Postgres

struct SignInInput: InputObjectDecodable {
    let login: String
    let password: Secret
    let mergeAnonymous: Bool
    let deviceToken: String?

    init(input: InputObject) throws {
        login = try input.decode("login")
        password = try input.decode("password")
        mergeAnonymous = try input.decode("mergeAnonymous")
        deviceToken = try input.decode("deviceToken")
    }

    var missing: [UserError] {
        (login.trimmed.isEmpty ? [UserError(.required, "The login is missing.", "login")] : [])
            + (password.text.isEmpty ? [.missingPassword("password")] : [])
    }
}

extension RequestContext {
    /// An unknown login takes as long as a wrong password and gets the same answer.
    func signIn(_ input: SignInInput, isRepeated: Bool = false) async throws -> SessionPayload {
        let missing = input.missing
        guard missing.isEmpty else { return SessionPayload(userErrors: missing) }
        let login = Login(input.login)
        let attempt: SignInAttempt
        let client: HashingClient
        if let known = try await knownDevice(input.deviceToken, login) {
            (attempt, client) = (known, hashingClient(login.form, isVouchedFor: true))
        } else {
            try await take(environment.limits.signIns)
            (attempt, client) = (SignInAttempt(login), hashingClient(login.form))
            try await begin(attempt)
        }
        guard let (found, spelling) = try await credentials(login) else {
            try await hashed(attempt) { try await environment.passwords.verifyDummy(input.password.text, for: client) }
            return wrongCredentials
        }
        let verification = try await hashed(attempt) {
            try await environment.passwords.verify(input.password.text, against: found.passwordHash, for: client)
        }
        guard verification != .invalid else { return wrongCredentials }
        let session = NewSession(
            id: environment.newID(), userID: found.userID, userAgent: userAgent, address: address)
        var segment = Segment()
        var hash = found.passwordHash
        // A busy hasher leaves the renewal to the next sign-in: the password was right.
        if verification == .validNeedsRehash,
            let renewed = try? await environment.passwords.hash(input.password.text, for: client)
        {
            // Before the insertion, which locks the same row for share: of two sign-ins that hold such a lock, neither could update.
            segment.append(found.renew(renewed))
            hash = renewed
        }
        let insertion = segment.statements.count
        segment.append(session.insert(whilePasswordHashIs: hash))
        // Two accounts of earlier releases can have addresses of one form. The sign-in to one of them does not end the
        // back-off of the other.
        segment.append(spelling.isSame(as: login.form) ? attempt.forget : attempt.giveBack)
        let merged = input.mergeAnonymous ? viewer.map { MergedAccount(source: $0.userID, session: session) } : nil
        if let merged { segment.statements += [merged.lock, merged.endSessions(environment), merged.move] }
        let rows = try await environment.pools.worker.retrying(segment)
        guard rows[insertion].affected == 1 else {
            // Another sign-in may have renewed the hash meanwhile. After a change of the password, this one is wrong now.
            return verification == .validNeedsRehash && !isRepeated
                ? try await signIn(input, isRepeated: true) : wrongCredentials
        }
        if merged != nil {
            environment.changes.noteWrite()
            refuse(sessions: try rows[rows.count - 2].first { $0.uuids(0) } ?? [])
        }
        return SessionPayload(issued: issue(session, deviceGeneration: found.deviceGeneration))
    }

    /// The account, and the spelling of the login under which it is stored. nil for an unknown login.
    private func credentials(_ login: Login) async throws -> (CredentialsByLogin.Output, spelling: String)? {
        if let found = try await credentials(login.exact) { return (found, login.exact) }
        if login.form.isSame(as: login.exact) { return nil }
        return try await credentials(login.form).map { ($0, login.form) }
    }

    /// nil for an unknown login, such as one with NUL, which PostgreSQL's text cannot hold.
    private func credentials(_ login: String) async throws -> CredentialsByLogin.Output? {
        if login.utf8.contains(0) { return nil }
        return try await environment.pools.worker.run(CredentialsByLogin(login: login)).first
    }

    /// The attempt of a device that has signed in to the account before, which is counted apart from strangers'
    /// attempts. nil if the device token is missing or invalid, or if the device has used up its own attempts: the
    /// client then counts as a stranger.
    private func knownDevice(_ text: String?, _ login: Login) async throws -> SignInAttempt? {
        guard let text, let token = DeviceToken(text, environment.deviceTokenKey),
            let (found, _) = try await credentials(login),
            token.isOf(account: found.userID.bytes, generation: found.deviceGeneration)
        else { return nil }
        let attempt = SignInAttempt(device: token.device)
        guard try await wait(before: attempt) == 0 else { return nil }
        let rate = environment.limits.deviceSignIns
        guard rate.quota > 0, let taken = try await use(TakeRate(rate, of: found.userID)) else { return attempt }
        if taken.isRefused {
            _ = try await environment.pools.worker.run(Segment([attempt.giveBack]))
            return nil
        }
        note(taken)
        return attempt
    }

    func hashingClient(_ login: String, isVouchedFor: Bool = false) -> HashingClient {
        HashingClient(network: network, login: login, isVouchedFor: isVouchedFor)
    }

    private var wrongCredentials: SessionPayload {
        SessionPayload(
            userErrors: [UserError(.wrongCredentials, "The login or the password is wrong.", "password")])
    }

    func signInAnonymously() async throws -> SessionPayload {
        try await take(environment.limits.anonymousAccounts)
        let id = environment.newID()
        let session = NewSession(id: environment.newID(), userID: id, userAgent: userAgent, address: address)
        let account: SQL =
            "insert into users (id, display_name, is_anonymous) values (\(id), \(GeneratedName.of(id)), true)"
        _ = try await environment.pools.worker.run(Segment([account, session.insert]))
        return SessionPayload(issued: issue(session, deviceGeneration: nil))
    }

    /// - Parameter deviceGeneration: nil for an anonymous account.
    func issue(_ session: NewSession, deviceGeneration: Int32?) -> IssuedSession {
        issue(
            session.token, session: session.id, user: session.userID, isAnonymous: deviceGeneration == nil,
            deviceGeneration: deviceGeneration)
    }

    func issue(
        _ token: RefreshToken, session: UUID, user: UUID, isAnonymous: Bool, deviceGeneration: Int32?
    ) -> IssuedSession {
        let signed = environment.tokens.sign(
            subject: TypeID(.user, user).description, session: TypeID(.session, session).description,
            isAnonymous: isAnonymous, now: environment.unixSeconds)
        let deviceToken = deviceGeneration.map {
            DeviceToken(account: user.bytes, device: session.bytes, generation: $0, environment.deviceTokenKey).text
        }
        return IssuedSession(
            accessToken: signed.token, expiresAt: Timestamp(unixMilliseconds: signed.claims.expiresAt * 1000),
            refreshToken: token.text, deviceToken: deviceToken, viewer: Viewer(userID: user, sessionID: session))
    }

    /// Maps the hasher's errors: UNAVAILABLE with `retryAfter` if too many hashes wait, CancellationError if cancelled.
    func hashed<Value>(_ hash: () async throws -> Value) async throws -> Value {
        do {
            return try await hash()
        } catch HasherError.busy(let retryAfter) {
            throw ExecutionError.unavailable(retryAfter: retryAfter)
        } catch HasherError.cancelled {
            throw CancellationError()
        }
    }
}

extension UUID {
    /// The 16 bytes in network order.
    fileprivate var bytes: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }
}

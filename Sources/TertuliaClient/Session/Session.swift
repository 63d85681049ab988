import ClientDocuments
import Foundation

/// The session of a device: who is signed in, and a token for each request.
public actor Session {
    public enum State: Sendable, Equatable {
        case signedOut
        case signedIn(Account)
        /// The server has ended the session: all that was private is gone from the device.
        case ended(Account)
    }

    private let endpoint: Endpoint
    private let store: any CredentialStore
    private let now: @Sendable () -> Date
    private var credentials: Credentials?
    private var refreshing: Task<Credentials, any Error>?
    private var listeners: [Int: AsyncStream<State>.Continuation] = [:]
    private var lastListener = 0
    private var eventListeners: [Int: AsyncStream<UserEvent>.Continuation] = [:]
    public private(set) var state: State

    /// - Parameter now: the device's clock.
    init(endpoint: Endpoint, store: any CredentialStore, now: @escaping @Sendable () -> Date = { Date.now }) throws {
        self.endpoint = endpoint
        self.store = store
        self.now = now
        credentials = try store.load()
        state = credentials.map { .signedIn($0.account) } ?? .signedOut
    }

    /// The state now, and after each change.
    public var states: AsyncStream<State> {
        let (stream, continuation) = AsyncStream.makeStream(of: State.self)
        lastListener += 1
        let id = lastListener
        listeners[id] = continuation
        continuation.onTermination = { _ in Task { await self.removeListener(id) } }
        continuation.yield(state)
        return stream
    }

    /// What happens from now on, after who is signed in already.
    public var events: AsyncStream<UserEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: UserEvent.self)
        lastListener += 1
        let id = lastListener
        eventListeners[id] = continuation
        continuation.onTermination = { _ in Task { await self.removeListener(id) } }
        if let account = state.account { continuation.yield(.userIdentified(account)) }
        return stream
    }

    private func removeListener(_ id: Int) {
        listeners[id] = nil
        eventListeners[id] = nil
    }

    private func tell(_ event: UserEvent) { for listener in eventListeners.values { listener.yield(event) } }

    // MARK: - Signing in and out

    public func signUp(email: String, password: String, username: String? = nil, displayName: String? = nil)
        async throws
    {
        var input = JSONObject([("email", .string(email)), ("password", .string(password))])
        if let username { input.set("username", .string(username)) }
        if let displayName { input.set("displayName", .string(displayName)) }
        try await begin(SessionDocuments.signUp, input)
    }

    /// - Parameters:
    ///   - login: an address or a username.
    ///   - mergeAnonymous: whether what the anonymous account of this session owns moves into the one signed in to.
    public func signIn(login: String, password: String, mergeAnonymous: Bool = false) async throws {
        var input = JSONObject([
            ("login", .string(login)), ("password", .string(password)), ("mergeAnonymous", .boolean(mergeAnonymous)),
        ])
        if let deviceToken = credentials?.deviceToken { input.set("deviceToken", .string(deviceToken)) }
        try await begin(SessionDocuments.signIn, input)
    }

    public func signInAnonymously() async throws { try await begin(SessionDocuments.signInAnonymously, JSONObject()) }

    /// Ends the session on the server, and here even where the server cannot be reached.
    public func signOut() async throws {
        let token = try? await accessToken()
        try replace(nil, .signedOut)
        tell(.userLoggedOut)
        guard let token else { return }
        _ = try await endpoint.send(SessionDocuments.signOut.document, EncodedVariables(), accessToken: token)
    }

    // MARK: - Password and address

    /// Has a link sent to the address, if it has an account; the answer is the same if it has none.
    public func requestPasswordReset(email: String) async throws {
        try await change(SessionDocuments.requestPasswordReset, [("email", .string(email))])
    }

    /// Sets a password with the token of the mail. Every session of the account ends, this one too if it is of that
    /// account: its next request finds that out.
    public func resetPassword(token: String, newPassword: String) async throws {
        try await change(
            SessionDocuments.resetPassword, [("token", .string(token)), ("newPassword", .string(newPassword))])
    }

    /// Ends the account's other sessions.
    public func changePassword(current: String, new: String) async throws {
        try await change(
            SessionDocuments.changePassword, [("currentPassword", .string(current)), ("newPassword", .string(new))])
    }

    /// Has a confirmation sent to the new address, which takes the place of the present one when it is confirmed.
    public func changeEmail(password: String, newEmail: String) async throws {
        try await change(
            SessionDocuments.changeEmail, [("password", .string(password)), ("newEmail", .string(newEmail))])
    }

    /// Confirms an address with the token of the mail.
    public func confirmEmail(token: String) async throws {
        try await change(SessionDocuments.confirmEmail, [("token", .string(token))])
    }

    /// - Throws: `UserErrors`, `RequestRefused`, or the transport's error.
    private func change(_ document: SessionDocument, _ input: [(name: String, value: JSONValue)]) async throws {
        _ = try await payload(document, JSONObject(input), accessToken: try await accessToken())
    }

    private func begin(_ document: SessionDocument, _ input: JSONObject) async throws {
        do {
            let next = try await request(document, input, accessToken: try await accessToken())
            try replace(next, .signedIn(next.account))
            tell(.userLoggedIn(next.account))
        } catch {
            tell(.failure(error))
            throw error
        }
    }

    private func request(
        _ document: SessionDocument, _ input: JSONObject, accessToken: String?
    ) async throws -> Credentials {
        try Credentials(payload: try await payload(document, input, accessToken: accessToken), receivedAt: now())
    }

    private func payload(
        _ document: SessionDocument, _ input: JSONObject, accessToken: String?
    ) async throws -> JSONObject {
        let response = try await endpoint.send(
            document.document, EncodedVariables(values: JSONObject([("input", .object(input))])),
            accessToken: accessToken)
        guard let payload = response.data?[document.field]?.object else { throw RequestRefused(response.errors) }
        if let faults = payload["userErrors"]?.list, !faults.isEmpty { throw UserErrors(faults) }
        return payload
    }

    // MARK: - Tokens

    /// A token for a request, renewed if its end is near; nil without a session. Callers that come while a refresh is
    /// under way wait for that one.
    public func accessToken() async throws -> String? {
        guard let credentials else { return nil }
        guard credentials.accessTokenEnds.timeIntervalSince(now()) < Self.margin else { return credentials.accessToken }
        return try await refreshed().accessToken
    }

    /// A token for a request of one account.
    ///
    /// - Parameters:
    ///   - account: its id; nil for requests without a session.
    ///   - refused: a token that the server has refused; nil for none.
    /// - Throws: `RequestRefused` with UNAUTHENTICATED where another account is signed in.
    func accessToken(of account: String?, inPlaceOf refused: String? = nil) async throws -> String? {
        let token = refused == nil ? try await accessToken() : try await accessToken(inPlaceOf: refused)
        // Checked afterwards, as the account may change while a token is renewed.
        guard credentials?.account.id == account, token == nil || credentials?.accessToken == token else {
            throw RequestRefused([ResponseError("Another account is signed in.", code: "UNAUTHENTICATED")])
        }
        return token
    }

    /// A token in the place of one that the server has refused; nil without a session.
    func accessToken(inPlaceOf refused: String?) async throws -> String? {
        guard let credentials else { return nil }
        // Another request may have noticed before and renewed it.
        guard credentials.accessToken == refused else { return try await accessToken() }
        return try await refreshed().accessToken
    }

    /// In seconds: a request with a token that ends within this time might arrive too late.
    private static let margin: TimeInterval = 30

    private func refreshed() async throws -> Credentials {
        if let refreshing { return try await refreshing.value }
        guard let present = credentials else {
            throw RequestRefused([ResponseError("No session.", code: "UNAUTHENTICATED")])
        }
        let task = Task { try await refresh(present) }
        refreshing = task
        defer { refreshing = nil }
        return try await task.value
    }

    /// The server gives the same child for a refresh token that comes twice, so a lost answer is asked for again.
    private func refresh(_ present: Credentials) async throws -> Credentials {
        do {
            var next = try await request(
                SessionDocuments.refresh, JSONObject([("refreshToken", .string(present.refreshToken))]),
                accessToken: nil)
            if next.deviceToken == nil { next.deviceToken = present.deviceToken }
            // Somebody may have signed out or in meanwhile.
            if credentials == present { try replace(next, .signedIn(next.account)) }
            return next
        } catch let error as RequestRefused where error.has("UNAUTHENTICATED") {
            if credentials == present { try end(present, error) }
            throw error
        } catch let error as UserErrors {
            if credentials == present { try end(present, error) }
            throw error
        }
    }

    private func end(_ present: Credentials, _ error: any Error) throws {
        try replace(nil, .ended(present.account))
        tell(.failure(error))
        tell(.userLoggedOut)
    }

    private func replace(_ next: Credentials?, _ state: State) throws {
        try store.save(next)
        credentials = next
        guard state != self.state else { return }
        self.state = state
        for listener in listeners.values { listener.yield(state) }
    }
}

/// What a person can mend in an input.
public struct UserErrors: Error, Sendable, Equatable {
    public struct Fault: Sendable, Equatable {
        public var code: String
        /// A sentence for a person.
        public var message: String
        /// The path of the input's field.
        public var field: [String]
    }

    public var faults: [Fault]

    init(_ list: [JSONValue]) {
        faults = list.compactMap(\.object).map { fault in
            Fault(
                code: fault["code"]?.text ?? "", message: fault["message"]?.text ?? "",
                field: (fault["field"]?.list ?? []).compactMap(\.text))
        }
    }
}

extension Credentials {
    /// - Throws: `UnreadableResponse`.
    init(payload: JSONObject, receivedAt now: Date) throws {
        let reader = ObjectReader(payload)
        let token: String = try reader.read("accessToken")
        let viewer: JSONValue = try reader.read("viewer")
        let account = ObjectReader(viewer.object ?? JSONObject())
        let ends: Date = try reader.read("accessTokenExpiresAt")
        self.init(
            account: Account(id: try account.read("id"), isAnonymous: try account.read("isAnonymous")),
            accessToken: token,
            // A device's clock may be wrong by hours: the token's own times say how long it lives.
            accessTokenEnds: JSONWebToken.lifetime(of: token).map(now.addingTimeInterval) ?? ends,
            refreshToken: try reader.read("refreshToken"), deviceToken: try reader.read("deviceToken"))
    }
}

/// Source: RFC 7519
enum JSONWebToken {
    /// From `iat` to `exp`, in seconds; nil where the token has not both. The signature is the server's business.
    static func lifetime(of token: String) -> TimeInterval? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var base64 = parts[1].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
        guard let data = Data(base64Encoded: base64), let claims = (try? JSONValue(json: data))?.object,
            let issued = claims["iat"].flatMap({ try? Double(output: $0) }),
            let ends = claims["exp"].flatMap({ try? Double(output: $0) }), ends > issued
        else { return nil }
        return ends - issued
    }
}

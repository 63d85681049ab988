import Foundation
import Testing

@testable import TertuliaClient

@Suite struct SessionTests {
    private let url = URL(string: "http://127.0.0.1/graphql") ?? URL(fileURLWithPath: "/")

    static func tokens(
        _ field: String, token: String, account: String = "viewer_1", deviceToken: String? = nil
    ) -> String {
        let device = deviceToken.map { "\"\($0)\"" } ?? "null"
        return """
            {"data":{"\(field)":{"accessToken":"\(token)","accessTokenExpiresAt":"2040-01-01T00:00:00.000Z",\
            "refreshToken":"refresh-\(token)","deviceToken":\(device),"viewer":{"id":"\(account)","isAnonymous":false},\
            "userErrors":[]}}}
            """
    }

    private func session(_ server: ScriptedServer, _ credentials: Credentials?) throws -> (Session, MemoryCredentials) {
        let store = MemoryCredentials(credentials)
        return (try Session(endpoint: Endpoint(url: url, transport: server), store: store), store)
    }

    @Test func manyCallersShareOneRefresh() async throws {
        let server = ScriptedServer { _, _ in
            try await Task.sleep(for: .milliseconds(20))
            return Self.tokens("refreshSession", token: "second")
        }
        let (session, store) = try session(server, .example(endsIn: 5))
        let tokens = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { try await session.accessToken() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(tokens) == ["second"])
        #expect(await server.count(of: "RefreshSession") == 1)
        #expect(try store.load()?.refreshToken == "refresh-second")
    }

    @Test func aTokenThatLastsIsNotRenewed() async throws {
        let server = ScriptedServer { _, _ in throw TransportError("Nothing is to be sent.") }
        let (session, _) = try session(server, .example())
        #expect(try await session.accessToken() == "first")
    }

    /// The same refresh token goes out again: the server has the same child for it.
    @Test func aLostAnswerIsAskedForAgain() async throws {
        let attempts = Counter()
        let server = ScriptedServer { _, _ in
            if await attempts.next() == 1 { throw TransportError("The answer was lost.") }
            return Self.tokens("refreshSession", token: "second")
        }
        let (session, _) = try session(server, .example(endsIn: 5))
        await #expect(throws: TransportError.self) { try await session.accessToken() }
        #expect(try await session.accessToken() == "second")
        let sent = await server.requests.map { $0.variables["input"]?.object?["refreshToken"]?.text }
        #expect(sent == ["refresh-first", "refresh-first"])
    }

    @Test func aRefusedRefreshEndsTheSession() async throws {
        let server = ScriptedServer { _, _ in
            #"{"data":null,"errors":[{"message":"No.","extensions":{"code":"UNAUTHENTICATED"}}]}"#
        }
        let (session, store) = try session(server, .example(endsIn: 5))
        var states = await session.states.makeAsyncIterator()
        #expect(await states.next() == .signedIn(Account(id: "viewer_1", isAnonymous: false)))
        await #expect(throws: RequestRefused.self) { try await session.accessToken() }
        #expect(await states.next() == .ended(Account(id: "viewer_1", isAnonymous: false)))
        #expect(try store.load() == nil)
        #expect(try await session.accessToken() == nil)
    }

    @Test func signsInAndOut() async throws {
        let server = ScriptedServer { operation, _ in
            operation == "SignIn" ? Self.tokens("signIn", token: "t") : #"{"data":{"signOut":{"userErrors":[]}}}"#
        }
        let (session, store) = try session(server, nil)
        #expect(await session.state == .signedOut)
        try await session.signIn(login: "ana", password: "a long quiet evening")
        #expect(await session.state.account?.id == "viewer_1")
        try await session.signOut()
        #expect(await session.state == .signedOut)
        #expect(try store.load() == nil)
        #expect(await server.requests.last?.token == "Bearer t")
    }

    @Test func whatAPersonCanMendIsThrown() async throws {
        let server = ScriptedServer { _, _ in
            """
            {"data":{"signIn":{"accessToken":null,"userErrors":[{"code":"WRONG_CREDENTIALS","message":"Wrong.",\
            "field":["input","login"]}]}}}
            """
        }
        let (session, _) = try session(server, nil)
        let error = await #expect(throws: UserErrors.self) { try await session.signIn(login: "a", password: "b") }
        #expect(error?.faults.first?.code == "WRONG_CREDENTIALS")
        #expect(await session.state == .signedOut)
    }

    @Test func passwordAndAddressChangeUnderTheSession() async throws {
        let server = ScriptedServer { operation, _ in
            #"{"data":{"\#(operation.prefix(1).lowercased())\#(operation.dropFirst())":{"userErrors":[]}}}"#
        }
        let (session, _) = try session(server, .example())
        try await session.changePassword(current: "a long quiet evening", new: "a longer quiet evening")
        try await session.changeEmail(password: "a longer quiet evening", newEmail: "ana@example.net")
        try await session.confirmEmail(token: "confirm")
        try await session.requestPasswordReset(email: "ana@example.net")
        try await session.resetPassword(token: "reset", newPassword: "another quiet evening")
        let requests = await server.requests
        #expect(
            requests.map { $0.operation } == [
                "ChangePassword", "ChangeEmail", "ConfirmEmail", "RequestPasswordReset", "ResetPassword",
            ])
        #expect(requests[0].variables["input"]?.object?["newPassword"]?.text == "a longer quiet evening")
        #expect(requests.allSatisfy { $0.token == "Bearer first" })
    }

    /// What waits under one account is not sent with the token of another one.
    @Test func aTokenIsOneAccounts() async throws {
        let (session, _) = try session(ScriptedServer { _, _ in "" }, .example())
        #expect(try await session.accessToken(of: "viewer_1") == "first")
        await #expect(throws: RequestRefused.self) { try await session.accessToken(of: "viewer_2") }
        await #expect(throws: RequestRefused.self) { try await session.accessToken(of: nil) }
    }

    private static let refused = #"{"data":null,"errors":[{"message":"No.","extensions":{"code":"UNAUTHENTICATED"}}]}"#

    /// The server has revoked the session: no operation takes its access token, and no token follows it.
    private static func revoking(_ answer: @escaping ScriptedServer.Answer) -> ScriptedServer {
        ScriptedServer { operation, variables in
            operation == "RefreshSession" ? refused : try await answer(operation, variables)
        }
    }

    @Test func aRevokedSessionStandsInNobodysWay() async throws {
        let steps: [(name: String, perform: @Sendable (Session) async throws -> Void)] = [
            ("SignIn", { try await $0.signIn(login: "ana", password: "a long quiet evening") }),
            ("SignUp", { try await $0.signUp(email: "ana@example.org", password: "a long quiet evening") }),
            ("SignInAnonymously", { try await $0.signInAnonymously() }),
            ("ResetPassword", { try await $0.resetPassword(token: "reset", newPassword: "another quiet evening") }),
            ("RequestPasswordReset", { try await $0.requestPasswordReset(email: "ana@example.org") }),
            ("ConfirmEmail", { try await $0.confirmEmail(token: "confirm") }),
        ]
        for endsIn in [900, 5] as [TimeInterval] {
            for step in steps {
                let field = step.name.prefix(1).lowercased() + step.name.dropFirst()
                let attempts = Counter()
                let server = Self.revoking { _, _ in
                    // A token that is about to end is not sent any more.
                    if endsIn > 30, await attempts.next() == 1 { return Self.refused }
                    return Self.tokens(field, token: "second", account: "viewer_2")
                }
                let (session, _) = try session(server, .example(endsIn: endsIn))
                try await step.perform(session)
                let sent = await server.requests.filter { $0.operation == step.name }.map { $0.token }
                #expect(sent == (endsIn > 30 ? ["Bearer first", nil] : [nil]), "\(step.name)")
            }
        }
    }

    /// The server merges the account whose token it gets.
    @Test func anOldTokenIsRenewedBeforeASignInMerges() async throws {
        let attempts = Counter()
        let server = ScriptedServer { operation, _ in
            if operation == "RefreshSession" { return Self.tokens("refreshSession", token: "second") }
            if await attempts.next() == 1 { return Self.refused }
            return Self.tokens("signIn", token: "third", account: "viewer_2")
        }
        let (session, _) = try session(server, .example())
        try await session.signIn(login: "ana", password: "a long quiet evening", mergeAnonymous: true)
        let requests = await server.requests
        #expect(requests.map { $0.operation } == ["SignIn", "RefreshSession", "SignIn"])
        #expect(requests.map { $0.token } == ["Bearer first", nil, "Bearer second"])
    }

    /// The anonymous account would not be merged.
    @Test func withoutANetworkNothingIsSentWithoutTheToken() async throws {
        let server = ScriptedServer { operation, _ in
            if operation == "RefreshSession" { throw TransportError("The network is down.") }
            return Self.refused
        }
        let (session, _) = try session(server, .example())
        await #expect(throws: TransportError.self) {
            try await session.signIn(login: "ana", password: "a long quiet evening", mergeAnonymous: true)
        }
        #expect(await server.requests.map { $0.operation } == ["SignIn", "RefreshSession"])
        #expect(await session.state.account?.id == "viewer_1")
    }

    // MARK: - Device tokens

    /// A server whose accounts are named by the first letter of their logins.
    private static let withDeviceTokens: ScriptedServer.Answer = { operation, variables in
        let input = variables["input"]?.object
        switch operation {
        case "SignIn", "SignUp":
            let login = input?["login"]?.text ?? input?["username"]?.text ?? ""
            let letter = login.trimmingCharacters(in: .whitespaces).lowercased().prefix(1)
            return tokens(
                operation == "SignIn" ? "signIn" : "signUp", token: login, account: "viewer_\(letter)",
                deviceToken: "device-\(letter)")
        case "RefreshSession":
            return tokens("refreshSession", token: "renewed", account: "viewer_a", deviceToken: "device-renewed")
        default: return #"{"data":{"signOut":{"userErrors":[]}}}"#
        }
    }

    private func deviceTokens(_ server: ScriptedServer) async -> [String?] {
        await server.requests.filter { $0.operation == "SignIn" }.map {
            $0.variables["input"]?.object?["deviceToken"]?.text
        }
    }

    @Test func theDeviceTokenOutlastsTheSession() async throws {
        let folder = try TemporaryFolder()
        let store = FileCredentialStore(file: folder.url.appendingPathComponent("credentials"))
        let server = ScriptedServer(Self.withDeviceTokens)
        let endpoint = Endpoint(url: url, transport: server)
        let first = try Session(endpoint: endpoint, store: store)
        try await first.signIn(login: "ana", password: "a long quiet evening")
        try await first.signOut()
        // Another run of the app.
        let second = try Session(endpoint: endpoint, store: store)
        try await second.signIn(login: "ana", password: "a long quiet evening")
        #expect(await deviceTokens(server) == [nil, "device-a"])
        let file = folder.url.appendingPathComponent("credentials.devices")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        // Another server does not get it.
        let other = ScriptedServer(Self.withDeviceTokens)
        let elsewhere = URL(string: "http://127.0.0.2/graphql") ?? url
        let third = try Session(endpoint: Endpoint(url: elsewhere, transport: other), store: store)
        try await third.signIn(login: "ana", password: "a long quiet evening")
        #expect(await deviceTokens(other) == [nil])
    }

    @Test func eachAccountHasItsDeviceToken() async throws {
        let server = ScriptedServer(Self.withDeviceTokens)
        let (session, _) = try session(server, nil)
        for login in ["ana", "ben", " Ana", "bertha", "ben"] {
            try await session.signIn(login: login, password: "a long quiet evening")
            try await session.signOut()
        }
        // The server knows no capital letters. Bertha may be another name of Ana's, whose token is the newest.
        #expect(await deviceTokens(server) == [nil, "device-a", "device-a", "device-a", "device-b"])
    }

    @Test func aRenewedDeviceTokenTakesThePlaceOfTheOldOne() async throws {
        let server = ScriptedServer(Self.withDeviceTokens)
        let (session, _) = try session(server, nil)
        try await session.signUp(email: "ana@example.org", password: "a long quiet evening", username: "ana")
        let token = try await session.accessToken()
        _ = try await session.accessToken(inPlaceOf: token)
        try await session.signOut()
        try await session.signIn(login: "ana@example.org", password: "a long quiet evening")
        #expect(await deviceTokens(server) == ["device-renewed"])
    }

    /// A device's clock may be wrong: the times within the token say how long it lives.
    @Test func lifetimeIsTheTokens() {
        func token(_ claims: String) -> String {
            "e30." + Data(claims.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "") + ".x"
        }
        #expect(JSONWebToken.lifetime(of: token(#"{"iat":100,"exp":1000}"#)) == 900)
        #expect(JSONWebToken.lifetime(of: token(#"{"exp":1000}"#)) == nil)
        #expect(JSONWebToken.lifetime(of: "opaque") == nil)
    }

    @Test func credentialsAreTheOwnersAlone() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("credentials")
        let store = FileCredentialStore(file: file)
        #expect(try store.load() == nil)
        try store.save(.example())
        try store.save(.example(token: "second"))
        #expect(try store.load()?.accessToken == "second")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try store.save(nil)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    /// Half a file, and one of another kind.
    @Test(arguments: [#"{"account":"viewer"#, #"{"name":"Ana"}"#])
    func damagedCredentialsAreSetAside(_ text: String) async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("credentials")
        let devices = file.appendingPathExtension("devices")
        let store = FileCredentialStore(file: file)
        try store.save(.example())
        for damaged in [file, devices] { try Data(text.utf8).write(to: damaged) }
        let server = ScriptedServer { _, _ in Self.tokens("signIn", token: "second") }
        let client = try await Client(
            url: url, transport: server, credentials: store, folder: folder.url.appendingPathComponent("stores"),
            schema: .generated)
        #expect(await client.session.state == .signedOut)
        let aside = client.session.damagedCredentials.map(\.setAside)
        #expect(aside == [file.path + ".damaged", devices.path + ".damaged"])
        for path in aside { #expect(FileManager.default.contents(atPath: path) == Data(text.utf8)) }
        try await client.signIn(login: "ana", password: "secret")
        #expect(try store.load()?.accessToken == "second")
        await client.close()
        let next = try Session(endpoint: Endpoint(url: url, transport: server), store: store)
        #expect(next.damagedCredentials == [])
        #expect(await next.state.account != nil)
    }
}

actor Counter {
    private(set) var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}

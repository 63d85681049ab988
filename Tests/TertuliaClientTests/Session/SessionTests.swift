import ClientOperations
import Foundation
import TestSupport
import Testing

@testable import TertuliaClient

@Suite(.timeLimit(.minutes(10))) struct SessionTests {
    private let url = URL(string: "http://127.0.0.1/graphql") ?? URL(fileURLWithPath: "/")

    static func tokens(_ field: String, token: String, account: String = "viewer_1") -> String {
        """
        {"data":{"\(field)":{"accessToken":"\(token)","accessTokenExpiresAt":"2040-01-01T00:00:00.000Z",\
        "refreshToken":"refresh-\(token)","deviceToken":null,"viewer":{"id":"\(account)","isAnonymous":false},\
        "userErrors":[]}}}
        """
    }

    private func session(_ server: ScriptedServer, _ credentials: Credentials?) throws -> (Session, MemoryCredentials) {
        let store = MemoryCredentials(credentials)
        return (try Session(endpoint: Endpoint(url: url, transport: server), store: store), store)
    }

    @Test func manyCallersShareOneRefresh() async throws {
        let gate = Gate()
        let server = ScriptedServer { _, _ in
            await gate.pass()
            return Self.tokens("refreshSession", token: "second")
        }
        let (session, store) = try session(server, .example(endsIn: 5))
        let begun = Counter()
        let callers = (0..<20).map { _ in
            Task {
                _ = await begun.next()
                return try await session.accessToken()
            }
        }
        try await eventually("20 callers and a refresh") {
            let refreshes = await server.count(of: "RefreshSession")
            return await begun.count == 20 && refreshes > 0
        }
        await gate.open()
        var tokens: [String?] = []
        for caller in callers { tokens.append(try await caller.value) }
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
        let states = await Watcher(session.states)
        #expect(try await states.next() == .signedIn(Account(id: "viewer_1", isAnonymous: false)))
        await #expect(throws: RequestRefused.self) { try await session.accessToken() }
        #expect(try await states.next() == .ended(Account(id: "viewer_1", isAnonymous: false)))
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
}

actor Counter {
    private(set) var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}

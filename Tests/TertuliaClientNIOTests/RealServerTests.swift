import App
import ClientOperations
import Foundation
import GraphQL
import TertuliaGenerate
import TestSupport
import Testing

@testable import TertuliaClient
@testable import TertuliaClientNIO

/// The client against the server itself.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RealServerTests {
    private func client(
        _ server: RealServer, _ folder: URL, _ name: String, _ transport: any Transport = PatientTransport(),
        sendsDocumentIDs: Bool = false
    ) async throws -> Client {
        let own = folder.appendingPathComponent(name)
        return try await Client(
            url: server.url, transport: transport,
            credentials: FileCredentialStore(file: own.appendingPathComponent("credentials")), folder: own,
            schema: .generated, mutations: [LikeThoughtMutation.self], sendsDocumentIDs: sendsDocumentIDs)
    }

    /// - Parameter arguments: those of `serve`, by the folder of the test.
    private func withServer(
        arguments: (URL) throws -> [String] = { _ in [] }, _ body: (RealServer, URL) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tertulia-nio-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await RealServer.with(home: folder, arguments: try arguments(folder)) { try await body($0, folder) }
    }

    /// Sign-up, a write through the outbox, and the other client's live list.
    @Test func aThoughtReachesAnotherClientsList() async throws {
        try await withServer { server, folder in
            let ana = try await client(server, folder, "ana")
            try await signUp(ana, "ana")
            let ben = try await client(server, folder, "ben")
            try await ben.session.signInAnonymously()

            let first = try await write(ana, "First")
            let list = try await ben.live(FeedQuery(first: 20), changes: FeedChangesSubscription())
            let watcher = await Watcher(list.values)
            let live = try await watcher.value { $0.phase == .live }
            #expect(live.rows.compactMap { $0.asThought?.text } == ["First"])

            let like = try await ana.perform(
                LikeThoughtMutation(input: LikeThoughtInput(thoughtId: first)), objects: [first])
            #expect(try await ana.outbox.resultInTime(of: like) == .done)
            let liked = try await watcher.value { $0.rows.first?.asThought?.likeCount == 1 }
            #expect(liked.rows.count == 1)

            _ = try await write(ana, "Second")
            // Without a position the list says that something is missing, and shows it when it is read anew.
            _ = try await watcher.value { $0.isStale }
            try await list.reload()
            let both = try await watcher.value { $0.rows.count == 2 }
            #expect(both.rows.compactMap { $0.asThought?.text } == ["Second", "First"])
            await ana.close()
            await watcher.stop()
            await ben.close()
        }
    }

    /// What happened while nobody was there comes after the stored cursor.
    @Test func anotherRunGetsWhatItMissed() async throws {
        try await withServer { server, folder in
            let ana = try await client(server, folder, "ana")
            try await signUp(ana, "ana")
            let thought = try await write(ana, "First")
            do {
                let ben = try await client(server, folder, "ben")
                try await ben.session.signInAnonymously()
                let list = try await ben.live(FeedQuery(first: 20), changes: FeedChangesSubscription())
                let watcher = await Watcher(list.values)
                _ = try await watcher.value { $0.phase == .live && $0.rows.count == 1 }
                await watcher.stop()
                await ben.close()
            }
            let like = try await ana.perform(
                LikeThoughtMutation(input: LikeThoughtInput(thoughtId: thought)), objects: [thought])
            #expect(try await ana.outbox.resultInTime(of: like) == .done)

            let ben = try await client(server, folder, "ben")
            let list = try await ben.live(FeedQuery(first: 20), changes: FeedChangesSubscription())
            let watcher = await Watcher(list.values)
            let cached = try await watcher.value { _ in true }
            #expect(cached.rows.count == 1)
            _ = try await watcher.value { $0.rows.first?.asThought?.likeCount == 1 }
            await ana.close()
            await watcher.stop()
            await ben.close()
        }
    }

    @Test func aWriteWhoseAnswerIsLostHappensOnce() async throws {
        try await withServer { server, folder in
            let transport = LosingTransport("CreateThought")
            let ana = try await client(server, folder, "ana", transport)
            try await signUp(ana, "ana")
            let id = try await ana.perform(
                CreateThoughtMutation(
                    input: CreateThoughtInput(category: .funny, text: "Once", status: .published)), objects: [])
            #expect(try await ana.outbox.resultInTime(of: id) == .done)
            #expect(await transport.sent == 2)
            let feed = try await ana.fetch(FeedQuery(first: 20))
            #expect(feed.value?.feed?.edges.compactMap { $0.node?.feedRow.asThought?.text } == ["Once"])
            await ana.close()
        }
    }

    /// Every document of the session is one that the server takes.
    @Test func accountsKeepTheirPasswordsAndAddresses() async throws {
        try await withServer { server, folder in
            let ana = try await client(server, folder, "ana")
            try await signUp(ana, "ana")
            try await changeAccount(ana)
            await ana.close()
        }
    }

    @Test func filesAreSent() async throws {
        try await withServer { server, folder in
            let ana = try await client(server, folder, "ana")
            try await signUp(ana, "ana")
            let id = try await ana.perform(
                CreateThoughtMutation(
                    input: CreateThoughtInput(category: .funny, text: "With a picture"),
                    image: .value(UploadFile(name: "a.png", contentType: "image/png", bytes: Array("no picture".utf8)))),
                objects: [])
            guard case .refused(let errors) = try await ana.outbox.resultInTime(of: id) else {
                Issue.record("The server took a file that is no picture.")
                return
            }
            #expect(errors.first?.code == "UNSUPPORTED_MEDIA")
            await ana.close()
        }
    }

    // MARK: - Trusted documents

    /// The manifest that `tertulia-generate` writes for the documents of these tests.
    private func manifest() throws -> [UInt8] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        func sources(_ folder: String) throws -> [Source] {
            let folder = root.appendingPathComponent(folder)
            return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
                .filter { $0.hasSuffix(".graphql") }
                .map { Source(Array(try Data(contentsOf: folder.appendingPathComponent($0))), name: $0) }
        }
        let generated = try generateSwift(
            schema: try sources("schema"), documents: try sources("Tests/ClientOperations"))
        return JSONValue.object(JSONObject(generated.documents.map { ($0.id, .string($0.text)) })).json
    }

    private func trustedOnly(_ folder: URL) throws -> [String] {
        let file = folder.appendingPathComponent("documents.json")
        try Data(try manifest()).write(to: file)
        return ["--trusted-documents", file.path, "--trusted-documents-only"]
    }

    /// A server that runs nothing but the generated manifest serves sessions, reads, writes and live lists, with documents
    /// as text and by ID.
    @Test(arguments: [false, true])
    func theGeneratedManifestIsEnough(_ sendsDocumentIDs: Bool) async throws {
        try await withServer(arguments: trustedOnly) { server, folder in
            let transport = RecordingTransport()
            let ana = try await client(server, folder, "ana", transport, sendsDocumentIDs: sendsDocumentIDs)
            try await signUp(ana, "ana")
            let first = try await write(ana, "First")
            let list = try await ana.live(FeedQuery(first: 20), changes: FeedChangesSubscription())
            let watcher = await Watcher(list.values)
            _ = try await watcher.value { $0.phase == .live && $0.rows.count == 1 }
            let like = try await ana.perform(
                LikeThoughtMutation(input: LikeThoughtInput(thoughtId: first)), objects: [first])
            #expect(try await ana.outbox.resultInTime(of: like) == .done)
            _ = try await watcher.value { $0.rows.first?.asThought?.likeCount == 1 }

            try await changeAccount(ana)
            try await ana.session.signOut()
            try await ana.session.signInAnonymously()
            let envelopes = await transport.envelopes
            #expect(!envelopes.isEmpty)
            #expect(envelopes.allSatisfy { ($0["documentId"] != nil) == sendsDocumentIDs })
            #expect(envelopes.allSatisfy { ($0["query"] == nil) == sendsDocumentIDs })
            await watcher.stop()
            await ana.close()

            let other = JSONObject([("query", .string("{ __typename }"))])
            #expect(try await errorCodes(other, server) == ["DOCUMENT_NOT_TRUSTED"])
        }
    }

    /// The pages that the links of mails open send documents of their own.
    @Test func pagesOfTheServerWorkBesideAManifest() async throws {
        try await withServer(arguments: trustedOnly) { (server, _) async throws in
            for page in AccountPage.all {
                var input = JSONObject([("token", .string("no token"))])
                if page.path == "reset-password" {
                    input.set("newPassword", .string("a long quiet evening"))
                    input.set("newPasswordConfirmation", .string("a long quiet evening"))
                }
                let request = JSONObject([
                    ("query", .string(page.document)), ("variables", .object(JSONObject([("input", .object(input))]))),
                ])
                #expect(try await errorCodes(request, server) == [])
            }
        }
    }

    private func errorCodes(_ envelope: JSONObject, _ server: RealServer) async throws -> [String?] {
        let request = HTTPRequest(
            url: server.url, headers: [(name: "Content-Type", value: "application/json")],
            body: JSONValue.object(envelope).json)
        let answer = try await PatientTransport().send(request)
        return try Response(try JSONValue(json: answer.body)).errors.map(\.code)
    }

    // MARK: - Steps

    /// Signs up. A repeated sign-up cannot give the session of the first: if that was done although its answer was
    /// TIMEOUT, the second is refused with TAKEN, and the account signs in.
    private func signUp(_ client: Client, _ username: String) async throws {
        let (email, password) = ("\(username)@example.org", "a long quiet evening")
        do {
            try await client.session.signUp(email: email, password: password, username: username)
        } catch let error as UserErrors where error.faults.contains(where: { $0.code == "TAKEN" }) {
            try await client.session.signIn(login: username, password: password)
        }
    }

    /// Changes the password and the address of the account that `signUp` has made for "ana", and signs in anew.
    private func changeAccount(_ ana: Client) async throws {
        try await ana.session.changePassword(current: "a long quiet evening", new: "a longer quiet evening")
        try await ana.session.changeEmail(password: "a longer quiet evening", newEmail: "ana@example.net")
        try await ana.session.requestPasswordReset(email: "ana@example.org")
        await #expect(throws: UserErrors.self) { try await ana.session.confirmEmail(token: "no token") }
        await #expect(throws: UserErrors.self) {
            try await ana.session.resetPassword(token: "no token", newPassword: "another quiet evening")
        }
        try await ana.session.signOut()
        try await ana.session.signIn(login: "ana", password: "a longer quiet evening")
        #expect(await ana.session.state.account?.isAnonymous == false)
    }

    /// - Returns: the id of the thought.
    private func write(_ client: Client, _ text: String) async throws -> String {
        let thought = NewID.make("thought")
        let id = try await client.perform(
            CreateThoughtMutation(
                input: CreateThoughtInput(
                    id: .value(thought), category: .funny, text: text, status: .published)), objects: [thought])
        #expect(try await client.outbox.resultInTime(of: id) == .done)
        return thought
    }
}

/// Loses the first answer to an operation, which the server has carried out.
private actor LosingTransport: Transport {
    private let base = PatientTransport()
    private let operation: String
    /// How often the operation was sent.
    private(set) var sent = 0

    init(_ operation: String) { self.operation = operation }

    func send(_ request: HTTPRequest) async throws -> HTTPAnswer {
        let answer = try await base.send(request)
        let body = try JSONValue(json: request.body).object
        guard body?["operationName"]?.text == operation else { return answer }
        sent += 1
        if sent == 1 { throw TransportError("The answer was lost.") }
        return answer
    }

    func connect(to url: URL, protocol name: String) async throws -> any TransportSocket {
        try await base.connect(to: url, protocol: name)
    }
}

/// Keeps what is sent by HTTP.
private actor RecordingTransport: Transport {
    private let base = PatientTransport()
    private(set) var envelopes: [JSONObject] = []

    func send(_ request: HTTPRequest) async throws -> HTTPAnswer {
        envelopes.append(try #require(try JSONValue(json: request.body).object))
        return try await base.send(request)
    }

    func connect(to url: URL, protocol name: String) async throws -> any TransportSocket {
        try await base.connect(to: url, protocol: name)
    }
}

/// Sends a request again while the server answers TIMEOUT, UNAVAILABLE or OVERLOADED, as it may on a busy machine, under
/// one `clientMutationId`.
private struct PatientTransport: Transport {
    private let base = NIOTransport(timeout: .seconds(300))

    func send(_ request: HTTPRequest) async throws -> HTTPAnswer {
        let request = Self.withMutationID(request)
        return try await retrying {
            try await base.send(request)
        } body: {
            String(decoding: $0.body, as: UTF8.self)
        }
    }

    /// A multipart request is left as it is: it comes from the outbox, which has set its `clientMutationId`.
    private static func withMutationID(_ request: HTTPRequest) -> HTTPRequest {
        guard var envelope = try? JSONValue(json: request.body).object, var variables = envelope["variables"]?.object,
            var input = variables["input"]?.object, input["clientMutationId"] == nil
        else { return request }
        input.set("clientMutationId", .string(UUID().uuidString))
        variables.set("input", .object(input))
        envelope.set("variables", .object(variables))
        var identified = request
        identified.body = Array(JSONValue.object(envelope).jsonText.utf8)
        return identified
    }

    func connect(to url: URL, protocol name: String) async throws -> any TransportSocket {
        try await base.connect(to: url, protocol: name)
    }
}

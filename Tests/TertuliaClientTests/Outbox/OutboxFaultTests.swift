import ClientOperations
import Foundation
import GRDB
import Testing

@testable import TertuliaClient

/// Writes that fail, and are tried again.
@Suite(.timeLimit(.minutes(20))) struct OutboxFaultTests {
    private let folder: TemporaryFolder
    private let url = URL(string: "http://127.0.0.1/graphql") ?? URL(fileURLWithPath: "/")

    init() throws { folder = try TemporaryFolder() }

    private func store(_ identity: SchemaDescription.Identity = .global) throws -> Store {
        try Store(
            folder: folder.url, server: url, account: "viewer_1",
            schema: SchemaDescription(version: SchemaDescription.generated.version, identity: identity))
    }

    private static func response(_ text: String) throws -> Response { try Response(try JSONValue(json: text.utf8)) }

    private static let liked = """
        {"data":{"likeThought":{"thought":{"__typename":"Thought","id":"t1","likeCount":4,"viewerHasLiked":true},\
        "userErrors":[]}}}
        """

    private static let refused = """
        {"data":{"likeThought":{"thought":null,"userErrors":[{"code":"NOT_ALLOWED","message":"No.","field":["input"]}]}}}
        """

    private static let fault =
        #"{"data":null,"errors":[{"message":"Oh.","extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}"#

    private static let thought = """
        {"thought":{"__typename":"Thought","id":"t1","text":"Hello","likeCount":3,"viewerHasLiked":false,\
        "rating":{"average":null,"count":0},\
        "author":{"__typename":"User","id":"user_1","username":"ana","displayName":"Ana"}}}
        """

    private func like() -> LikeThoughtMutation { LikeThoughtMutation(input: LikeThoughtInput(thoughtId: "t1")) }

    private let query = OneThoughtQuery(id: "t1")

    /// Ten tries without a network or under a limit, and then a fault.
    @Test func onlyTheServersFaultsAreCounted() async throws {
        let attempts = Counter()
        let outbox = Outbox(store: try store(), operations: []) { _ in
            switch await attempts.next() {
            case 1...5: throw TransportError("The network is down.")
            case 6...10:
                return try Self.response(
                    #"{"data":null,"errors":[{"message":"Later.","extensions":{"code":"RATE_LIMITED"}}]}"#)
            case 11: return try Self.response(Self.fault)
            default: return try Self.response(Self.liked)
            }
        }
        let id = try await outbox.perform(like(), objects: ["t1"])
        // Each wake-up ends a wait between two attempts.
        while await attempts.count < 11 {
            await outbox.wake()
            try await Task.sleep(for: .milliseconds(2))
        }
        #expect(try await outbox.result(of: id) == .done)
        await outbox.close()
    }

    @Test func theEighthFaultLeavesAnEntryToTheApp() async throws {
        let store = try store()
        let attempts = Counter()
        let outbox = Outbox(store: store, operations: []) { request in
            if await attempts.next() == 1 {
                let id = request.variables["input"]?.object?["clientMutationId"]?.text ?? ""
                try await store.write { for _ in 0..<7 { try OutboxTable.addFault(to: id, in: $0.database) } }
                throw TransportError("The network is down.")
            }
            return try Self.response(Self.fault)
        }
        let id = try await outbox.perform(like(), objects: ["t1"])
        guard case .refused(let errors) = try await outbox.result(of: id) else {
            Issue.record("It was not refused.")
            return
        }
        #expect(errors.map(\.code) == ["INTERNAL_SERVER_ERROR"])
        #expect(await attempts.count == 2)
        #expect(try await outbox.entries().map(\.faults) == [8])
        await outbox.close()
    }

    /// The second entry met a fault and waits for its time. When that has come, the first one is a question for the app
    /// and holds the second one up.
    @Test func anEntryThatIsHeldUpKeepsNothingBusy() async throws {
        let clock = TestClock()
        let first = UUID().uuidString
        let attempts = Counter()
        let outbox = Outbox(store: try store(), operations: [], now: { clock.now }) { request in
            guard request.variables["input"]?.object?["clientMutationId"] == .string(first) else {
                return try Self.response(Self.fault)
            }
            if await attempts.next() == 1 { return try Self.response(Self.refused) }
            clock.advance(by: Outbox.claimLifetime + 1)
            throw TransportError("The network is down.")
        }
        let mutation = LikeThoughtMutation(
            input: LikeThoughtInput(thoughtId: "t1", clientMutationId: .value(first)))
        _ = try await outbox.perform(mutation, objects: ["t1"])
        guard case .refused = try await outbox.result(of: first) else {
            Issue.record("It was not refused.")
            return
        }
        let second = try await outbox.perform(like(), objects: ["t1"])
        while try await outbox.entries().last?.faults == 0 { try await Task.sleep(for: .milliseconds(2)) }
        try await outbox.retry(first)
        #expect(try await outbox.result(of: first) == .uncertain)
        while await !outbox.isResting { try await Task.sleep(for: .milliseconds(2)) }
        #expect(try await outbox.entries().map(\.state) == [.uncertain, .waiting])
        #expect(try await outbox.entries().last?.id == second)
        await outbox.close()
    }

    /// The writes that a sign-in waits for cannot be sent: the server has ended the anonymous session.
    @Test func aRevokedSessionHoldsUpNoSignIn() async throws {
        let server = ScriptedServer { operation, _ in
            if operation == "SignIn" { return SessionTests.tokens("signIn", token: "second", account: "viewer_2") }
            return #"{"data":null,"errors":[{"message":"No.","extensions":{"code":"UNAUTHENTICATED"}}]}"#
        }
        let client = try await Client(
            url: url, transport: server, credentials: MemoryCredentials(.example()), folder: folder.url,
            schema: .generated)
        // The first write finds out, while the sign-in waits for both.
        for _ in 0..<2 { try await client.perform(like(), objects: ["t1"]) }
        try await client.signIn(login: "ana", password: "a long quiet evening", mergeAnonymous: true)
        #expect(await client.session.state.account?.id == "viewer_2")
        await client.close()
    }

    // MARK: - Patches

    @Test func aWriteThatIsTriedAgainShowsAgain() async throws {
        let store = try store()
        try await store.write(Response(data: try JSONValue(json: Self.thought.utf8).object), of: query)
        let gate = Gate()
        let attempts = Counter()
        let outbox = Outbox(store: store, operations: []) { _ in
            if await attempts.next() == 1 { return try Self.response(Self.refused) }
            await gate.wait()
            return try Self.response(Self.liked)
        }
        let watcher = await Watcher(store.observe(query))
        let id = try await outbox.perform(
            like(), objects: ["t1"], patches: [RecordPatch("t1", [("likeCount", .add(1))])])
        guard case .refused = try await outbox.result(of: id) else {
            Issue.record("It was not refused.")
            return
        }
        #expect(try await store.read(query).value?.thought?.likeCount == 3)
        try await watcher.value { $0.value?.thought?.likeCount == 3 }
        try await outbox.retry(id)
        #expect(try await store.read(query).value?.thought?.likeCount == 4)
        try await watcher.value { $0.value?.thought?.likeCount == 4 }
        await gate.open()
        #expect(try await outbox.result(of: id) == .done)
        let left = try await store.database.read { try Int.fetchOne($0, sql: "select count(*) from patches") }
        #expect(left == 0)
        await watcher.stop()
        await outbox.close()
    }

    /// An id is an object's alone in one schema, and in another one it is of one type.
    @Test(arguments: [SchemaDescription.Identity.global, .perType])
    func patchesMeetTheirRecords(_ identity: SchemaDescription.Identity) async throws {
        let store = try store(identity)
        try await store.write(Response(data: try JSONValue(json: Self.thought.utf8).object), of: query)
        let outbox = Outbox(store: store, operations: []) { _ in throw TransportError("The network is down.") }
        let patch = RecordPatch(
            store.schema.key(type: "Thought", id: "t1"),
            [
                ("likeCount", .add(1)), ("author", .refer(to: store.schema.key(type: "User", id: "user_1"))),
            ])
        _ = try await outbox.perform(like(), objects: ["t1"], patches: [patch])
        let thought = try await store.read(query).value?.thought
        #expect(thought?.likeCount == 4)
        #expect(thought?.author.person.username == "ana")
        await outbox.close()
    }
}

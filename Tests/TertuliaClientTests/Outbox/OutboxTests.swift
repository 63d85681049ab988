import ClientOperations
import Foundation
import TestSupport
import Testing

@testable import TertuliaClient

@Suite(.timeLimit(.minutes(10))) struct OutboxTests {
    private let folder: TemporaryFolder
    private let url = URL(string: "http://127.0.0.1/graphql") ?? URL(fileURLWithPath: "/")

    init() throws { folder = try TemporaryFolder() }

    private func client(_ server: ScriptedServer, account: String = "viewer_1") async throws -> Client {
        try await Client(
            url: url, transport: server, credentials: MemoryCredentials(.example(account)), folder: folder.url,
            schema: .generated, mutations: [LikeThoughtMutation.self])
    }

    private static let liked = """
        {"data":{"likeThought":{"thought":{"__typename":"Thought","id":"t1","likeCount":4,"viewerHasLiked":true},\
        "userErrors":[]}}}
        """

    private static let thought = """
        {"data":{"thought":{"__typename":"Thought","id":"t1","text":"Hello","likeCount":3,"viewerHasLiked":false,\
        "rating":{"average":null,"count":0},\
        "author":{"__typename":"User","id":"user_1","username":"ana","displayName":"Ana"}}}}
        """

    private static let offline = TransportError("The network is down.")

    private func like() -> LikeThoughtMutation { LikeThoughtMutation(input: LikeThoughtInput(thoughtId: "t1")) }

    private let patch = RecordPatch("t1", [("likeCount", .add(1)), ("viewerHasLiked", .set(.boolean(true)))])

    private let query = OneThoughtQuery(id: "t1")

    @Test func aWriteShowsAtOnceAndIsDroppedWithItsAnswer() async throws {
        let gate = Gate()
        let server = ScriptedServer { operation, _ in
            if operation == "OneThought" { return Self.thought }
            await gate.pass()
            return Self.liked
        }
        let client = try await client(server)
        _ = try await client.fetch(query)
        let id = try await client.perform(like(), objects: ["t1"], patches: [patch])
        let waiting = try await client.cached(query)
        #expect(waiting.value?.thought?.likeCount == 4)
        #expect(waiting.value?.thought?.viewerHasLiked == true)
        // The server's row meanwhile has another's like: the patch is applied anew.
        try await client.store("t1", "likeCount", .int(7))
        #expect(try await client.cached(query).value?.thought?.likeCount == 8)
        await gate.open()
        #expect(try await client.outbox.resultInTime(of: id) == .done)
        #expect(try await client.cached(query).value?.thought?.likeCount == 4)
        #expect(try await client.outbox.entries().isEmpty)
        await client.close()
    }

    /// Killed between sending and the answer: the next run sends the same entry.
    @Test func anotherRunSendsItUnderTheSameId() async throws {
        let gate = Gate()
        let silent = ScriptedServer { _, _ in
            await gate.pass()
            throw Self.offline
        }
        let first = try await client(silent)
        let id = try await first.perform(like(), objects: ["t1"])
        try await eventually("a request") { await !silent.requests.isEmpty }
        await first.close()

        let server = ScriptedServer { _, _ in Self.liked }
        let second = try await client(server)
        #expect(try await second.outbox.resultInTime(of: id) == .done)
        let ids = await (silent.requests + server.requests).map {
            $0.variables["input"]?.object?["clientMutationId"]?.text
        }
        #expect(ids == [id, id])
        await gate.open()
        await second.close()
    }

    @Test func aLostAnswerIsAskedForAgain() async throws {
        let attempts = Counter()
        let server = ScriptedServer { _, _ in
            if await attempts.next() < 3 { throw Self.offline }
            return Self.liked
        }
        let client = try await client(server)
        let id = try await client.perform(like(), objects: ["t1"])
        #expect(try await client.outbox.resultInTime(of: id) == .done)
        #expect(Set(await server.requests.map { $0.variables["input"]?.object?["clientMutationId"]?.text }) == [id])
        await client.close()
    }

    @Test func aRefusedWriteRollsBackAndStandsInNobodysWay() async throws {
        let server = ScriptedServer { operation, variables in
            if operation == "OneThought" { return Self.thought }
            return variables["input"]?.object?["thoughtId"] == .string("t1")
                ? #"{"data":{"likeThought":{"thought":null,"userErrors":[{"code":"NOT_ALLOWED","message":"No.","field":["input"]}]}}}"#
                : Self.liked
        }
        let client = try await client(server)
        _ = try await client.fetch(query)
        let refused = try await client.perform(like(), objects: ["t1"], patches: [patch])
        guard case .refused(let errors) = try await client.outbox.resultInTime(of: refused) else {
            Issue.record("It was not refused.")
            return
        }
        #expect(errors.map(\.message) == ["No."])
        #expect(try await client.cached(query).value?.thought?.likeCount == 3)
        let other = try await client.perform(
            LikeThoughtMutation(input: LikeThoughtInput(thoughtId: "t2")), objects: ["t1", "t2"])
        #expect(try await client.outbox.resultInTime(of: other) == .done)
        let entries = try await client.outbox.entries()
        #expect(entries.map(\.id) == [refused])
        #expect(entries.first?.state == .refused(errors))
        #expect(entries.first?.variables["input"]?.object?["thoughtId"] == .string("t1"))
        try await client.outbox.discard(refused)
        #expect(try await client.outbox.entries().isEmpty)
        await client.close()
    }

    /// A fault that one entry meets again and again.
    @Test func aFaultHoldsUpItsOwnEntryAlone() async throws {
        let isMended = Flag()
        let server = ScriptedServer { _, variables in
            if variables["input"]?.object?["thoughtId"] == .string("t1"), await !isMended.isSet {
                return #"{"data":null,"errors":[{"message":"Oh.","extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}"#
            }
            return Self.liked
        }
        let client = try await client(server)
        let first = try await client.perform(like(), objects: ["t1"])
        let second = try await client.perform(
            LikeThoughtMutation(input: LikeThoughtInput(thoughtId: "t2")), objects: ["t2"])
        #expect(try await client.outbox.resultInTime(of: second) == .done)
        #expect(try await client.outbox.entries().map(\.id) == [first])
        await isMended.set()
        #expect(try await client.outbox.resultInTime(of: first) == .done)
        await client.close()
    }

    @Test func writesOfOneObjectKeepTheirOrder() async throws {
        let attempts = Counter()
        let server = ScriptedServer { _, _ in
            if await attempts.next() == 1 { throw Self.offline }
            return Self.liked
        }
        let client = try await client(server)
        var ids: [String] = []
        for _ in 0..<4 { ids.append(try await client.perform(like(), objects: ["t1"])) }
        for id in ids { #expect(try await client.outbox.resultInTime(of: id) == .done) }
        let sent = await server.requests.compactMap { $0.variables["input"]?.object?["clientMutationId"]?.text }
        #expect(sent == [ids[0]] + ids)
        await client.close()
    }

    @Test func anotherAccountNeverSendsIt() async throws {
        let down = ScriptedServer { _, _ in throw Self.offline }
        let first = try await client(down)
        _ = try await first.perform(like(), objects: ["t1"])
        await first.close()
        let server = ScriptedServer { _, _ in Self.liked }
        let second = try await client(server, account: "viewer_2")
        #expect(try await second.outbox.entries().isEmpty)
        let own = try await second.perform(like(), objects: ["t1"])
        #expect(try await second.outbox.resultInTime(of: own) == .done)
        #expect(await server.requests.count == 1)
        await second.close()
        let third = try await client(ScriptedServer { _, _ in Self.liked })
        let result = try await third.outbox.entries().map(\.id)
        for id in result { #expect(try await third.outbox.resultInTime(of: id) == .done) }
        await third.close()
    }

    @Test func signingOutAsksAboutWritesThatWait() async throws {
        let server = ScriptedServer { operation, _ in
            if operation == "SignOut" { return #"{"data":{"signOut":{"userErrors":[]}}}"# }
            throw Self.offline
        }
        let client = try await client(server)
        let id = try await client.perform(like(), objects: ["t1"])
        let asked = await #expect(throws: WritesWait.self) { try await client.signOut() }
        #expect(asked?.entries.map(\.id) == [id])
        #expect(await client.session.state.account != nil)
        try await client.signOut(leavingWrites: true)
        #expect(await client.session.state == .signedOut)
        #expect(try await client.outbox.entries().isEmpty)
        await client.close()
        let again = try await self.client(server)
        #expect(try await again.outbox.entries().map(\.id) == [id])
        await again.close()
    }

    /// The account that queued them is gone after the merge.
    @Test func signingInMergesOnceTheWritesAreSent() async throws {
        let gate = Gate()
        let server = ScriptedServer { operation, _ in
            if operation == "SignIn" { return SessionTests.tokens("signIn", token: "second", account: "viewer_2") }
            await gate.pass()
            return Self.liked
        }
        let client = try await client(server)
        try await client.perform(like(), objects: ["t1"])
        async let merged: Void = client.signIn(login: "ana", password: "a long quiet evening", mergeAnonymous: true)
        try await eventually("a request") { await !server.requests.isEmpty }
        await gate.open()
        try await merged
        #expect(await server.requests.map { $0.operation } == ["LikeThought", "SignIn"])
        #expect(await client.session.state.account?.id == "viewer_2")
        await client.close()
    }

    @Test func anAnswerLostForTooLongIsAQuestionForTheApp() async throws {
        let store = try Store(folder: folder.url, server: url, account: "viewer_1", schema: .generated)
        let clock = TestClock()
        let attempts = Counter()
        let outbox = Outbox(store: store, operations: [], now: { clock.now }) { _ in
            if await attempts.next() == 1 {
                clock.advance(by: Outbox.claimLifetime + 1)
                throw Self.offline
            }
            return try Response(try JSONValue(json: Self.liked.utf8))
        }
        let id = try await outbox.perform(like(), objects: ["t1"])
        #expect(try await outbox.resultInTime(of: id) == .uncertain)
        #expect(await attempts.next() == 2)
        try await outbox.retry(id)
        #expect(try await outbox.resultInTime(of: id) == .done)
        await outbox.close()
    }

    /// A comment on a thought that is not sent yet.
    @Test func aWriteWaitsForTheOneThatMakesItsObject() async throws {
        let isMended = Flag()
        let server = ScriptedServer { operation, _ in
            if operation == "CreateThought" {
                if await !isMended.isSet {
                    return #"{"data":null,"errors":[{"message":"Oh.","extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}"#
                }
                return #"{"data":{"createThought":{"thought":null,"userErrors":[]}}}"#
            }
            return Self.liked
        }
        let client = try await client(server)
        let thought = NewID.make("thought")
        let create = try await client.perform(
            CreateThoughtMutation(input: CreateThoughtInput(id: .value(thought), category: .funny, text: "New")),
            objects: [thought])
        let like = try await client.perform(
            LikeThoughtMutation(input: LikeThoughtInput(thoughtId: thought)), objects: [thought])
        let other = try await client.perform(self.like(), objects: ["t1"])
        #expect(try await client.outbox.resultInTime(of: other) == .done)
        #expect(try await client.outbox.entries().map(\.id) == [create, like])
        await isMended.set()
        #expect(try await client.outbox.resultInTime(of: like) == .done)
        #expect(try await client.outbox.entries().isEmpty)
        let sent = await server.requests.map { $0.operation }
        #expect(sent.lastIndex(of: "CreateThought") ?? 9 < sent.lastIndex(of: "LikeThought") ?? 0)
        await client.close()
    }

    // MARK: - Conflicts

    /// A write of the text, queued without a network, while somebody else writes another text.
    private func conflict(_ policy: ConflictPolicy) async throws -> (Client, ScriptedServer, String) {
        let isUp = Flag()
        let texts = Counter()
        let server = ScriptedServer { operation, _ in
            if operation == "OneThought" {
                guard await texts.next() > 1 else { return Self.thought }
                if await !isUp.isSet { throw Self.offline }
                return Self.thought.replacingOccurrences(of: "Hello", with: "Theirs")
            }
            if await !isUp.isSet { throw Self.offline }
            return Self.liked
        }
        let client = try await client(server)
        _ = try await client.fetch(query)
        let id = try await client.perform(
            like(), objects: ["t1"], patches: [RecordPatch("t1", [("text", .set(.string("Ours")))])],
            conflicts: policy, reading: query)
        #expect(try await client.cached(query).value?.thought?.text == "Ours")
        await isUp.set()
        try await client.outbox.wake()
        return (client, server, id)
    }

    @Test func theServerWins() async throws {
        let (client, server, id) = try await conflict(.serverWins)
        #expect(try await client.outbox.resultInTime(of: id) == .overruled)
        #expect(try await client.cached(query).value?.thought?.text == "Theirs")
        #expect(await server.count(of: "LikeThought") == 0)
        // Its input is kept, and stands in nobody's way.
        #expect(try await client.outbox.entries().map(\.state) == [.overruled])
        let other = try await client.perform(like(), objects: ["t1"])
        #expect(try await client.outbox.resultInTime(of: other) == .done)
        await client.close()
    }

    @Test func theAppIsAsked() async throws {
        let (client, server, id) = try await conflict(.ask)
        #expect(try await client.outbox.resultInTime(of: id) == .conflicting)
        #expect(try await client.cached(query).value?.thought?.text == "Ours")
        #expect(await server.count(of: "LikeThought") == 0)
        try await client.outbox.retry(id)
        #expect(try await client.outbox.resultInTime(of: id) == .done)
        #expect(await server.count(of: "LikeThought") == 1)
        await client.close()
    }

    @Test func theLastWriterWins() async throws {
        let (client, server, id) = try await conflict(.lastWriter)
        #expect(try await client.outbox.resultInTime(of: id) == .done)
        // Nothing is read before.
        #expect(await server.count(of: "OneThought") == 1)
        await client.close()
    }

    /// Two writes of one account, queued after each other.
    @Test func ownWritesDoNotConflict() async throws {
        let gate = Gate()
        let server = ScriptedServer { operation, _ in
            if operation == "OneThought" { return Self.thought }
            await gate.pass()
            return Self.liked
        }
        let client = try await client(server)
        _ = try await client.fetch(query)
        let patch = RecordPatch("t1", [("viewerHasLiked", .set(.boolean(true)))])
        let first = try await client.perform(like(), objects: ["t1"], patches: [patch], conflicts: .ask)
        let second = try await client.perform(like(), objects: ["t1"], patches: [patch], conflicts: .ask)
        await gate.open()
        #expect(try await client.outbox.resultInTime(of: first) == .done)
        #expect(try await client.outbox.resultInTime(of: second) == .done)
        await client.close()
    }

    @Test func filesAreKeptWithTheirEntry() async throws {
        let store = try Store(folder: folder.url, server: url, account: "viewer_1", schema: .generated)
        let seen = Seen()
        let outbox = Outbox(store: store, operations: []) { request in
            await seen.set(request.uploads)
            return try Response(try JSONValue(json: Self.liked.utf8))
        }
        let file = UploadFile(name: "a.png", contentType: "image/png", bytes: [1, 2, 3])
        let mutation = CreateThoughtMutation(
            input: CreateThoughtInput(category: .funny, text: "Hello"), image: .value(file))
        let id = try await outbox.perform(mutation, objects: [])
        #expect(try await outbox.resultInTime(of: id) == .done)
        #expect(await seen.uploads == [UploadPart(path: "variables.image", file: file)])
        await outbox.close()
    }
}

actor Flag {
    private(set) var isSet = false

    func set() { isSet = true }
}

actor Seen {
    private(set) var uploads: [UploadPart] = []

    func set(_ uploads: [UploadPart]) { self.uploads = uploads }
}

final class TestClock: @unchecked Sendable {
    private let lock = NSLock()
    private var time = Date(timeIntervalSince1970: 1_800_000_000)

    var now: Date { lock.withLock { time } }

    func advance(by seconds: TimeInterval) { lock.withLock { time.addTimeInterval(seconds) } }
}

extension Client {
    /// Writes one field of a record, as a change of the server's does.
    func store(_ key: String, _ field: String, _ value: JSONValue) async throws {
        try await accountStore.write { transaction in
            transaction.changed = try RecordTable.merge([key: JSONObject([(field, value)])], in: transaction.database)
        }
    }
}

import Postgres
import Testing

@testable import App

/// A clientMutationId makes a mutation safe to send again.
@Suite struct IdempotencyTests {
    /// The first try used up what the retry would have to wait for.
    @Test func aRetryWaitsForNoFurtherMail() async throws {
        let world = try await World.make { $0.mails.quota = 1 }
        func change(_ id: String) async throws -> Answer {
            let input =
                "{password: \"correct horse battery\", newEmail: \"new@example.org\", clientMutationId: \"\(id)\"}"
            return try await world.ask(
                "mutation { changeEmail(input: \(input)) { viewer { pendingEmail } userErrors { code } } }", as: .ana)
        }
        let first = try await change("a")
        #expect(first.string("changeEmail", "viewer", "pendingEmail") == "new@example.org", "\(first.text)")
        #expect(try await change("a").text == first.text)
        #expect(try await change("b").code == "RATE_LIMITED")
        await world.shutdown()
    }

    private let thought = worldID(.thought, 0x201)

    private func add(_ text: String, _ clientMutationId: String) -> String {
        """
        mutation { addComment(input: \
        {subjectId: "\(thought)", text: "\(text)", clientMutationId: "\(clientMutationId)"}) \
        { comment { id text } clientMutationId } }
        """
    }

    private static let claims: SQL = "select count(*) from idempotency"
    private static let comments: SQL = "select count(*) from comments"

    @Test func fiftyAtOnceWriteOnce() async throws {
        let world = try await World.make(writers: 8)
        let answers = try await concurrently(50) { _ in try await world.ask(add("Hello.", "m1"), as: .ana) }
        #expect(answers.codes == ["OK"])
        #expect(Set(answers.map(\.text)).count == 1)
        #expect(answers[0].string("addComment", "clientMutationId") == "m1")
        #expect(try await world.number(Self.comments) == 4)
        #expect(try await world.number(Self.claims) == 1)
        #expect(try await world.rows(CounterDrift()) == [])
        await world.shutdown()
    }

    @Test func aReplayShowsThePresent() async throws {
        let world = try await World.make(writers: 8)
        let first = try await world.ask(add("Hello.", "m1"), as: .ana)
        let id = try #require(first.string("addComment", "comment", "id"))
        let update = "mutation { updateComment(input: {id: \"\(id)\", text: \"Bye.\"}) { comment { id } } }"
        #expect(try await world.ask(update, as: .ana).isData)
        #expect(try await world.ask(add("Hello.", "m1"), as: .ana).string("addComment", "comment", "text") == "Bye.")
        _ = try await world.ask("mutation { deleteComment(input: {id: \"\(id)\"}) { deletedId } }", as: .ana)
        let gone = try await world.ask(add("Hello.", "m1"), as: .ana)
        #expect(gone.isData)
        #expect(gone["addComment", "comment"] == .null)
        #expect(gone.string("addComment", "clientMutationId") == "m1")
        #expect(try await world.number(Self.comments) == 3)
        await world.shutdown()
    }

    /// A retry of a deletion is a success like the first, also with what it shows besides.
    @Test func aDeletionCanBeSentAgain() async throws {
        let world = try await World.make(writers: 8)
        let document = """
            mutation { deleteComment(input: {id: "\(worldID(.comment, 0x402))", clientMutationId: "m1"}) \
            { deletedId subject { ... on Thought { id commentCount } } } }
            """
        let answers = try await concurrently(20) { _ in try await world.ask(document, as: .ana) }
        #expect(Set(answers.map(\.text)).count == 1)
        #expect(answers[0].int("deleteComment", "subject", "commentCount") == 1)
        #expect(try await world.ask(document, as: .ana).text == answers[0].text)
        await world.shutdown()
    }

    @Test func anotherInputIsRefused() async throws {
        let world = try await World.make(writers: 8)
        _ = try await world.ask(add("Hello.", "m1"), as: .ana)
        let other = try await world.ask(add("Hello!", "m1"), as: .ana)
        #expect(other.code == "BAD_USER_INPUT")
        #expect(try await world.number(Self.comments) == 4)
        await world.shutdown()
    }

    @Test func anotherAccountAndAnotherMutationAreOthers() async throws {
        let world = try await World.make(writers: 8)
        let ids = try await [Person.ana, .ben].asyncMap {
            try await world.ask(add("Hello.", "m1"), as: $0).string("addComment", "comment", "id")
        }
        #expect(Set(ids).count == 2)
        let like = """
            mutation { likeThought(input: {thoughtId: "\(thought)", clientMutationId: "m1"}) { thought { likeCount } } }
            """
        #expect(try await world.ask(like, as: .ana).int("likeThought", "thought", "likeCount") == 3)
        #expect(try await world.number(Self.claims) == 3)
        await world.shutdown()
    }

    @Test func whatIsRefusedLeavesNoClaim() async throws {
        let world = try await World.make(writers: 8)
        let event = worldID(.event, 0x302)
        let newest = try await world.number("select max(id) from change_log")
        let refused = [
            "addComment(input: {subjectId: \"\(worldID(.thought, 0x2FF))\", text: \"x\", clientMutationId: \"m1\"})",
            "updateThought(input: {id: \"\(worldID(.thought, 0x202))\", text: \"x\", clientMutationId: \"m1\"})",
            "deleteThought(input: {id: \"\(worldID(.thought, 0x202))\", clientMutationId: \"m1\"})",
            "addComment(input: {subjectId: \"\(thought)\", text: \" \", clientMutationId: \"m2\"})",
            "rsvp(input: {eventId: \"\(event)\", clientMutationId: \"m1\"})",
            """
            addComment(input: {id: "\(worldID(.comment, 0x401))", subjectId: "\(thought)", text: "x", \
            clientMutationId: "m3"})
            """,
        ]
        for field in refused {
            let document = "mutation { \(field) { userErrors { code field } } }"
            let answers = try await concurrently(5) { _ in try await world.ask(document, as: .ana) }
            #expect(!answers.contains { $0.isData }, "\(field)")
            #expect(Set(answers.map(\.text)).count == 1)
        }
        #expect(try await world.number(Self.claims) == 0)
        #expect(try await world.number("select max(id) from change_log") == newest)
        // What was refused once can be tried again when it has become possible.
        try await world.execute(script: "update events set ends_at = '2099-01-01' where id = '\(worldUUID(0x302))'")
        #expect(try await world.ask("mutation { \(refused[4]) { event { id } } }", as: .ana).isData)
        await world.shutdown()
    }

    @Test func anExpiredClaimIsOneNoMore() async throws {
        let world = try await World.make(writers: 8)
        let first = try await world.ask(add("Hello.", "m1"), as: .ana)
        try await world.execute(script: "update idempotency set created_at = now() - interval '24 hours 1 second'")
        let answers = try await concurrently(20) { _ in try await world.ask(add("Hello.", "m1"), as: .ana) }
        #expect(answers.codes == ["OK"])
        #expect(Set(answers.map(\.text)).count == 1)
        #expect(answers[0].text != first.text)
        #expect(try await world.number(Self.comments) == 5)
        #expect(try await world.number(Self.claims) == 1)
        await world.shutdown()
    }

    /// The connection dies while the segment waits for a lock: the client cannot know the outcome, and sends it again.
    @Test func afterACrashTheRetryWritesOnce() async throws {
        let world = try await World.make(writers: 8)
        let blocker = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await blocker.execute("begin")
        try await blocker.execute("select from thoughts where id = \(worldUUID(0x201)) for update")
        let pending = Task { try await world.ask(add("Hello.", "m1"), as: .ana) }
        try await world.untilWaiting(1)
        let killed = try await world.number(
            """
            select count(*) from (select pg_terminate_backend(pid) from pg_stat_activity \
            where datname = current_database() and wait_event_type = 'Lock') as killed
            """)
        #expect(killed == 1)
        #expect(try await pending.value.code == "UNAVAILABLE")
        try await blocker.execute("commit")
        await blocker.close()
        let answers = try await concurrently(5) { _ in try await world.ask(add("Hello.", "m1"), as: .ana) }
        #expect(answers.codes == ["OK"], "\(answers.map(\.text))")
        #expect(Set(answers.map(\.text)).count == 1)
        #expect(try await world.number(Self.comments) == 4)
        await world.shutdown()
    }

    /// The same id and owner again: the object that exists is the answer, also without a clientMutationId.
    @Test func anIdOfTheClientIsCreatedOnce() async throws {
        let world = try await World.make(writers: 8)
        let id = worldID(.comment, 0x4FF)
        let answers = try await concurrently(30) { number in
            let field = "addComment(input: {id: \"\(id)\", subjectId: \"\(thought)\", text: \"\(number)\"})"
            return try await world.ask("mutation { \(field) { comment { id text } } }", as: .ana)
        }
        #expect(answers.codes == ["OK"])
        #expect(Set(answers.map(\.text)).count == 1)
        #expect(try await world.number(Self.comments) == 4)
        #expect(try await world.rows(CounterDrift()) == [])
        await world.shutdown()
    }
}

extension Array {
    fileprivate func asyncMap<Output>(_ transform: (Element) async throws -> Output) async rethrows -> [Output] {
        var outputs: [Output] = []
        for element in self { outputs.append(try await transform(element)) }
        return outputs
    }
}

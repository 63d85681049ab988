import Postgres
import Testing

@testable import App

/// A create of an id that exists says that it made nothing, and writes over the viewer's object where that is asked
/// for.
@Suite struct OnConflictTests {
    private static let thought = worldID(.thought, 0x2F1)

    private func create(_ fields: String, id: String = Self.thought) -> String {
        """
        mutation { createThought(input: {id: "\(id)", category: FUNNY, \(fields)}) \
        { thought { id text } wasCreated userErrors { code field } } }
        """
    }

    @Test func aReplayTellsWhatTheFirstAttemptDid() async throws {
        let world = try await World.make()
        let attempts = [
            ("text: \"One.\", clientMutationId: \"c\"", "true", "One."),
            ("text: \"Two.\", clientMutationId: \"k\"", "false", "One."),
            ("text: \"Three.\", onConflict: OVERWRITE, clientMutationId: \"o\"", "false", "Three."),
        ]
        for (fields, wasCreated, text) in attempts {
            let answer = try await world.ask(create(fields), as: .ana)
            #expect(answer.text.contains("\"wasCreated\":\(wasCreated)"), "\(answer.text)")
            #expect(answer.string("createThought", "thought", "text") == text)
        }
        let delete = "mutation { deleteThought(input: {id: \"\(Self.thought)\"}) { deletedId } }"
        for isDeleted in [false, true] {
            if isDeleted { #expect(try await world.ask(delete, as: .ana).isData) }
            for (fields, wasCreated, _) in attempts {
                let answer = try await world.ask(create(fields), as: .ana)
                #expect(answer.text.contains("\"wasCreated\":\(wasCreated)"), "\(answer.text)")
                #expect((answer["createThought", "thought"] == .null) == isDeleted)
            }
        }
        await world.shutdown()
    }

    @Test func oneOfManyAtOnceMadeIt() async throws {
        let world = try await World.make(writers: 8)
        let answers = try await concurrently(24) { number in
            let onConflict = number % 2 == 0 ? "KEEP" : "OVERWRITE"
            return try await world.ask(
                create("text: \"\(number)\", onConflict: \(onConflict), clientMutationId: \"\(number)\""), as: .ana)
        }
        #expect(answers.codes == ["OK"])
        #expect(answers.filter { $0.text.contains("\"wasCreated\":true") }.count == 1)
        #expect(try await world.number("select count(*) from idempotency where outcome ? 'created'") == 1)
        #expect(try await world.number("select count(*) from thoughts where id = \(worldUUID(0x2F1))") == 1)
        await world.shutdown()
    }

    /// What an update leaves is left: when it was made, what others did, and the log's rows of an update.
    @Test func whatOthersDidStays() async throws {
        let world = try await World.make()
        let mine = worldID(.thought, 0x201)
        let row: SQL = """
            select concat_ws(' ', created_at, published_at, like_count, comment_count) from thoughts \
            where id = \(worldUUID(0x201))
            """
        let before = try await world.texts(row)
        let newest = try await world.number("select max(id) from change_log")
        #expect(try await world.ask(create("text: \"New.\", onConflict: OVERWRITE", id: mine), as: .ana).isData)
        #expect(try await world.texts(row) == before)
        let log = try await world.texts(
            """
            select concat_ws(' ', type, (before).status, (after).status, counters_only) from change_log \
            where id > \(Int64(newest)) order by id
            """)
        #expect(log == ["thought PUBLISHED PUBLISHED f"])
        #expect(try await world.rows(CounterDrift()) == [])
        await world.shutdown()
    }

    /// A file is stored with the write or not at all, and what it takes the place of is let go.
    @Test func theImageThatItTakesThePlaceOfIsLetGo() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                update images set check_at = null;
                update thoughts set image_id = '\(worldUUID(0x501))' where id = '\(worldUUID(0x201))';
                """)
        let mine = worldID(.thought, 0x201)
        #expect(try await world.ask(create("text: \"New.\", onConflict: OVERWRITE", id: mine), as: .ana).isData)
        #expect(try await world.number("select count(*) from images where check_at is not null") == 1)
        await world.shutdown()
    }

    @Test func listsFollow() async throws {
        let live = try await LiveWorld.make()
        let feed = try await live.subscribe(
            "feedChanges(filter: {categories: [FUNNY]}) { kind nodeId node { ... on Thought { text } } }", as: .ben)
        let steps = [
            ("category: FUNNY, text: \"Draft.\", status: DRAFT", nil), ("category: FUNNY, text: \"Out.\"", "ADDED"),
            ("category: FUNNY, text: \"Edited.\"", "CHANGED"), ("category: CRAZY, text: \"Moved.\"", "REMOVED"),
            ("category: FUNNY, text: \"Back.\"", "ADDED"),
            ("category: FUNNY, text: \"Hidden.\", status: DRAFT", "REMOVED"),
        ]
        var seen = 0
        for (fields, kind) in steps {
            let answer = try await live.world.ask(
                "mutation { createThought(input: {id: \"\(Self.thought)\", onConflict: OVERWRITE, \(fields)}) { wasCreated } }",
                as: .ana)
            #expect(answer.isData, "\(answer.text)")
            guard let kind else { continue }
            seen += 1
            #expect(try await feed.take(seen).last?.string("feedChanges", "kind") == kind, "\(fields)")
        }
        try await live.settle()
        #expect(feed.count == seen)
        await live.shutdown()
    }
}

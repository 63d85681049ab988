import GraphQL
import Postgres
import Testing

@testable import App

@Suite struct SubscriptionTests {
    private static let change = "{ kind nodeId cursor node { id ... on Thought { text likeCount } } }"

    private static func create(_ text: String, category: String = "FUNNY", status: String = "PUBLISHED") -> String {
        """
        mutation { createThought(input: {text: "\(text)", category: \(category), status: \(status)}) \
        { thought { id } } }
        """
    }

    private static func kinds(_ answers: [Answer], _ field: String = "feedChanges") -> [String] {
        answers.map { $0.string(field, "kind") ?? $0.text }
    }

    @Test func theFeedChangesAsTheViewerSeesIt() async throws {
        let live = try await LiveWorld.make()
        let feed = try await live.subscribe("feedChanges \(Self.change)", as: .nobody)
        let created = try await live.world.ask(Self.create("One"), as: .ana)
        let id = try #require(created.string("createThought", "thought", "id"))
        let edits = [
            "updateThought(input: {id: \"\(id)\", text: \"Two\"}) { thought { id } }",
            "unpublishThought(input: {id: \"\(id)\"}) { thought { id } }",
            // A draft's edit concerns nobody else.
            "updateThought(input: {id: \"\(id)\", text: \"Three\"}) { thought { id } }",
            "publishThought(input: {id: \"\(id)\"}) { thought { id } }",
            "deleteThought(input: {id: \"\(id)\"}) { deletedId }",
        ]
        // Else a node is read after the next edit.
        _ = try await feed.take(1)
        for (edit, count) in zip(edits, [2, 3, 3, 4, 5]) {
            #expect(try await live.world.ask("mutation { \(edit) }", as: .ana).isData)
            _ = try await feed.take(count)
        }
        let answers = try await feed.take(5)
        #expect(Self.kinds(answers) == ["ADDED", "CHANGED", "REMOVED", "ADDED", "REMOVED"])
        #expect(answers.allSatisfy { $0.string("feedChanges", "nodeId") == id })
        #expect(answers.map { $0.string("feedChanges", "node", "text") } == ["One", "Two", nil, "Three", nil])
        #expect(Set(answers.compactMap { $0.string("feedChanges", "cursor") }).count == 5)
        await live.shutdown()
    }

    @Test func aFilterIsEnteredAndLeft() async throws {
        let live = try await LiveWorld.make()
        let funny = try await live.subscribe(
            "feedChanges(filter: {categories: [FUNNY]}) { kind nodeId }", as: .ben)
        let thought = worldID(.thought, 0x201)
        for (number, category) in ["CRAZY", "SERIOUS", "FUNNY"].enumerated() {
            let edit = "updateThought(input: {id: \"\(thought)\", category: \(category)}) { thought { id } }"
            #expect(try await live.world.ask("mutation { \(edit) }", as: .ana).isData)
            _ = try await funny.take(number == 0 ? 1 : number)
        }
        // An event has no category.
        #expect(
            try await live.world.ask(
                "mutation { rsvp(input: {eventId: \"\(worldID(.event, 0x301))\", status: GOING}) { event { id } } }",
                as: .ben
            ).isData)
        #expect(Self.kinds(try await funny.take(2)) == ["REMOVED", "ADDED"])
        try await live.settle()
        #expect(funny.count == 2)
        await live.shutdown()
    }

    @Test func draftsAreTheirAuthorsAlone() async throws {
        let live = try await LiveWorld.make()
        let draft = worldID(.thought, 0x204)
        let text = "nodeChanges(ids: [\"\(draft)\"]) { kind node { id } }"
        let (own, others) = (
            try await live.subscribe(text, as: .ana), try await live.subscribe(text, as: .ben)
        )
        let edit = "updateThought(input: {id: \"\(draft)\", text: \"New\"}) { thought { id } }"
        #expect(try await live.world.ask("mutation { \(edit) }", as: .ana).isData)
        #expect(Self.kinds(try await own.take(1), "nodeChanges") == ["CHANGED"])
        let publish = "publishThought(input: {id: \"\(draft)\"}) { thought { id } }"
        #expect(try await live.world.ask("mutation { \(publish) }", as: .ana).isData)
        #expect(Self.kinds(try await own.take(2), "nodeChanges") == ["CHANGED", "CHANGED"])
        #expect(Self.kinds(try await others.take(1), "nodeChanges") == ["ADDED"])
        #expect(others.count == 1)
        await live.shutdown()
    }

    @Test func commentsOfASubject() async throws {
        let live = try await LiveWorld.make()
        let thought = worldID(.thought, 0x201)
        let comments = try await live.subscribe(
            "commentChanges(subjectId: \"\(thought)\") { kind nodeId node { text author { username } } "
                + "subject { id commentCount } }", as: .nobody)
        let added = try await live.world.ask(
            "mutation { addComment(input: {subjectId: \"\(thought)\", text: \"Hm.\"}) { comment { id } } }", as: .ben)
        let id = try #require(added.string("addComment", "comment", "id"))
        _ = try await comments.take(1)
        #expect(
            try await live.world.ask("mutation { deleteComment(input: {id: \"\(id)\"}) { deletedId } }", as: .ben)
                .isData)
        let answers = try await comments.take(2)
        #expect(Self.kinds(answers, "commentChanges") == ["ADDED", "REMOVED"])
        #expect(answers[0].string("commentChanges", "node", "author", "username") == "ben")
        #expect(answers.map { $0.int("commentChanges", "subject", "commentCount") } == [3, 2])
        let draft = try await live.subscribe(
            "commentChanges(subjectId: \"\(worldID(.thought, 0x204))\") { kind }", as: .ben)
        #expect(draft.refusal?.code == "NOT_FOUND")
        await live.shutdown()
    }

    @Test func eventsByTheirTimes() async throws {
        let live = try await LiveWorld.make()
        let soon = try await live.subscribe(
            "eventChanges(filter: {startsBefore: \"2099-06-01T00:00:00Z\", endsAfter: \"2026-02-01T00:00:00Z\"}) "
                + "{ kind nodeId node { name } }", as: .nobody)
        func edit(_ id: UInt64, _ fields: String, as person: Person) async throws {
            let text = "mutation { updateEvent(input: {id: \"\(worldID(.event, id))\", \(fields)}) { event { id } } }"
            let answer = try await live.world.ask(text, as: person)
            #expect(answer.isData, "\(answer.text)")
        }
        try await edit(0x301, "name: \"Talk\"", as: .ben)
        _ = try await soon.take(1)
        // Over before the filter's time: whoever shows it takes it away.
        try await edit(0x302, "name: \"Gone\"", as: .ana)
        _ = try await soon.take(2)
        try await edit(
            0x301, "startsAt: \"2099-07-01T00:00:00Z\", endsAt: \"2099-07-02T00:00:00Z\"", as: .ben)
        let answers = try await soon.take(3)
        #expect(Self.kinds(answers, "eventChanges") == ["CHANGED", "REMOVED", "REMOVED"])
        #expect(answers.map { $0.string("eventChanges", "node", "name") } == ["Talk", nil, nil])
        await live.shutdown()
    }

    @Test func everySubscriptionAnswers() async throws {
        let live = try await LiveWorld.make()
        let cursor = try #require(try await live.world.ask("{ changeCursor }", as: .nobody).string("changeCursor"))
        try await live.world.execute(script: ChangeDocuments.script)
        try await live.settle()
        for (field, selection) in ChangeDocuments.subscriptions(after: cursor) {
            let subscriber = try await live.subscribe(selection, as: .ana)
            let first = try #require(try await subscriber.take(1).first ?? subscriber.refusal)
            #expect(first.isData, "\(first.text)")
            if field.hasSuffix("Changes"), !["viewerChanges", "sessionChanges"].contains(field) {
                #expect(first.string(field, "kind") == "CHANGED" && first.string(field, "node", "id") != nil)
            }
            subscriber.close()
        }
        let variables = InputObject([("after", .string(cursor))])
        let list = try Answer(try await live.world.run(ChangeDocuments.query, variables, as: .ana))
        guard case .list(let nodes) = list["changes", "nodes"] else {
            Issue.record("\(list.text)")
            return
        }
        // Ana comes to the event: its change is told to her, too. She has read another notification.
        #expect(nodes.count == 5)
        let messages = try Answer(try await live.world.run(ChangeDocuments.messages, variables, as: .ana))
        #expect(messages.code == "NOT_FOUND")
        await live.shutdown()
    }

    /// Subscribers who select the same and see the same cost one statement together.
    @Test func manySubscribersShareOneRead() async throws {
        let live = try await LiveWorld.make()
        let people: [Person] = [.nobody, .ben, .mod, .zoe]
        let alike = try await concurrently(40) { number in
            try await live.subscribe("feedChanges { kind node { id author { username } } }", as: people[number % 4])
        }
        let personal = try await live.subscribe(
            "feedChanges { kind node { ... on Thought { viewerHasLiked } } }", as: .ben)
        let created = try await live.world.ask(Self.create("Shared"), as: .ana)
        #expect(created.isData)
        for subscriber in alike { #expect(Self.kinds(try await subscriber.take(1)) == ["ADDED"]) }
        _ = try await personal.take(1)
        let reads = live.world.statements.take().flatMap(\.statements).filter { $0.contains("from thoughts t") }
        // One for the forty, one for the one whose answer is its own.
        #expect(reads.count == 2, "\(reads)")
        await live.shutdown()
    }

    @Test func sessionsTellTheirState() async throws {
        let live = try await LiveWorld.make()
        let anonymous = try await live.subscribe("sessionChanges { state viewer { isAnonymous } }", as: .zoe)
        #expect(try await anonymous.take(1)[0].string("sessionChanges", "state") == "ANONYMOUS")
        try await live.world.execute(
            script: "update users set is_anonymous = false, username = 'zoe' where is_anonymous")
        #expect(try await anonymous.take(2)[1].string("sessionChanges", "state") == "SIGNED_IN")
        let nobody = try await live.subscribe("sessionChanges { state }", as: .nobody)
        #expect(try await nobody.until { _ in false }.map { $0.string("sessionChanges", "state") } == ["SIGNED_OUT"])
        let account = try await live.subscribe("viewerChanges { viewer { user { displayName } } }", as: .ana)
        try await live.world.execute(script: "update users set display_name = 'Anna' where username = 'ana'")
        #expect(try await account.take(1)[0].string("viewerChanges", "viewer", "user", "displayName") == "Anna")
        let stranger = try await live.subscribe("viewerChanges { viewer { id } }", as: .nobody)
        #expect(stranger.refusal?.code == "UNAUTHENTICATED")
        await live.shutdown()
    }
}

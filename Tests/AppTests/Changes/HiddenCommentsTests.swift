import GraphQL
import Postgres
import TestSupport
import Testing

@testable import App
@testable import ChangeFeed

/// Comments that come and go with those who wrote them, and with what they are on.
@Suite struct HiddenCommentsTests {
    private let bens = worldID(.comment, 0x401)
    private let anas = worldID(.comment, 0x402)

    private func told(_ subscriber: Subscriber, _ count: Int) async throws -> [String] {
        HiddenWorld.told(try await subscriber.take(count), "commentChanges")
    }

    private func update(_ comment: String, _ world: HiddenWorld, as person: Person) async throws {
        try await world.mutate("updateComment(input: {id: \"\(comment)\", text: \"Edited\"})", as: person)
    }

    @Test func ofBlockedPeople() async throws {
        let world = try await HiddenWorld.make()
        let mod = try await world.comments(as: .mod)
        try await world.block(0xB, as: .mod)
        _ = try await mod.take(1)
        try await update(bens, world, as: .ben)
        try await update(anas, world, as: .ana)
        #expect(try await told(mod, 2) == ["REMOVED \(bens)", "CHANGED \(anas)"])
        // With whose thought it is all are gone, of which one was already, and stays hidden.
        try await world.block(0xA, as: .mod)
        #expect(try await told(mod, 3).last == "REMOVED \(anas)")
        try await world.unblock(0xA, as: .mod)
        #expect(try await told(mod, 4).last == "ADDED \(anas)")
        try await world.unblock(0xB, as: .mod)
        #expect(try await told(mod, 5).last == "ADDED \(bens)")
        await world.live.shutdown()
    }

    /// They come and go with the thought, also where that is named, too.
    @Test func namedByTheirIds() async throws {
        let world = try await HiddenWorld.make()
        let thought = HiddenWorld.anas[0]
        let text = "nodeChanges(ids: [\"\(bens)\", \"\(anas)\", \"\(thought)\"]) { kind nodeId node { id } }"
        let (owner, other) = (
            try await world.live.subscribe(text, as: .ana), try await world.live.subscribe(text, as: .mod)
        )
        func told(_ subscriber: Subscriber, _ count: Int) async throws -> [String] {
            HiddenWorld.told(try await subscriber.take(count), "nodeChanges")
        }
        try await world.mutate("unpublishThought(input: {id: \"\(thought)\"})", as: .ana)
        #expect(try await told(other, 3) == [thought, bens, anas].all("REMOVED"))
        // Who comes while it is a draft sees them when it is none.
        let comments = "nodeChanges(ids: [\"\(bens)\", \"\(anas)\"]) { kind nodeId node { id } }"
        let late = try await world.live.subscribe(comments, as: .nobody)
        try await update(anas, world, as: .ana)
        #expect(try await told(owner, 2) == ["CHANGED \(thought)", "CHANGED \(anas)"])
        try await world.mutate("publishThought(input: {id: \"\(thought)\"})", as: .ana)
        #expect(try await told(other, 6).suffix(3) == [thought, bens, anas].all("ADDED"))
        #expect(try await told(late, 2) == [bens, anas].all("ADDED"))
        #expect(try await told(owner, 3).last == "CHANGED \(thought)")
        await world.live.shutdown()
    }

    @Test func onAThoughtThatIsADraftAgain() async throws {
        let world = try await HiddenWorld.make()
        let before = try world.cursor()
        let owner = try await world.comments(as: .ana)
        let others = [try await world.comments(as: .ben), try await world.comments(as: .nobody)]
        let thought = HiddenWorld.anas[0]
        try await world.mutate("unpublishThought(input: {id: \"\(thought)\"})", as: .ana)
        for other in others { #expect(try await told(other, 2) == [bens, anas].all("REMOVED")) }
        // Between the two, what its author says there is the author's alone.
        let added = worldID(.comment, 0x4C1)
        let comment = "addComment(input: {id: \"\(added)\", subjectId: \"\(thought)\", text: \"Mine\"})"
        try await world.mutate(comment, as: .ana)
        #expect(try await told(owner, 1) == ["ADDED \(added)"])
        try await world.mutate("publishThought(input: {id: \"\(thought)\"})", as: .ana)
        for other in others {
            #expect(try await told(other, 5).suffix(3) == [bens, anas, added].all("ADDED"))
        }
        try await update(anas, world, as: .ana)
        for other in others { #expect(try await told(other, 6).last == "CHANGED \(anas)") }
        #expect(try await told(owner, 2).last == "CHANGED \(anas)")
        // Who was away gets there, too.
        let text = "commentChanges(subjectId: \"\(thought)\", after: \"\(before)\") { kind nodeId node { id } }"
        let resumed = try await world.live.subscribe(text, as: .ben)
        // What its author said meanwhile was not there before.
        let expected = [bens, anas].all("REMOVED") + [bens, anas, added].all("ADDED") + ["CHANGED \(anas)"]
        #expect(try await told(resumed, 6) == expected)
        await world.live.shutdown()
    }

    /// The owner of a draft sees the comments on it, so a block between the owner and a commenter hides some of them.
    @Test func ofPeopleWhomTheOwnerOfADraftBlocks() async throws {
        let world = try await HiddenWorld.make()
        let owner = try await world.comments(as: .ana)
        let text = "nodeChanges(ids: [\"\(bens)\"]) { kind nodeId node { id } }"
        let named = try await world.live.subscribe(text, as: .ana)
        try await world.mutate("unpublishThought(input: {id: \"\(HiddenWorld.anas[0])\"})", as: .ana)
        try await world.block(0xB, as: .ana)
        #expect(try await told(owner, 1) == ["REMOVED \(bens)"])
        try await world.unblock(0xB, as: .ana)
        #expect(try await told(owner, 2) == ["REMOVED \(bens)", "ADDED \(bens)"])
        #expect(HiddenWorld.told(try await named.take(2), "nodeChanges") == ["REMOVED \(bens)", "ADDED \(bens)"])
        await world.live.shutdown()
    }

    /// It is not there any more when the draft is told of.
    @Test func whatWasDeletedWhileTheThoughtIsADraft() async throws {
        let world = try await HiddenWorld.make()
        let before = try world.cursor()
        let thought = HiddenWorld.anas[0]
        try await world.mutate("unpublishThought(input: {id: \"\(thought)\"})", as: .ana)
        try await world.mutate("deleteComment(input: {id: \"\(anas)\"})", as: .ana)
        try await world.mutate("publishThought(input: {id: \"\(thought)\"})", as: .ana)
        try await world.live.settle()
        let text = "commentChanges(subjectId: \"\(thought)\", after: \"\(before)\") { kind nodeId node { id } }"
        let resumed = try await world.live.subscribe(text, as: .ben)
        #expect(try await told(resumed, 3) == [bens, anas].all("REMOVED") + ["ADDED \(bens)"])
        await world.live.shutdown()
    }

    // MARK: - Ids that are given again

    private static func thought(_ author: UInt64, _ status: String = "PUBLISHED") -> String {
        """
        insert into thoughts (id, author_id, category, text, status, published_at) values ('\(worldUUID(0x201))',
          '\(worldUUID(author))', 'FUNNY', 'Another', '\(status)', \(status == "PUBLISHED" ? "now()" : "null"))
        """
    }
    private static let delete = "delete from thoughts where id = '\(worldUUID(0x201))'"
    private static let hide =
        "update thoughts set status = 'DRAFT', published_at = null where id = '\(worldUUID(0x201))'"
    private static let comment = """
        insert into comments (id, author_id, thought_id, text)
        values ('\(worldUUID(0x401))', '\(worldUUID(0xB))', '\(worldUUID(0x201))', 'Again')
        """

    private func subscriptions(_ world: HiddenWorld, as person: Person) async throws -> [(String, Subscriber)] {
        let named = "nodeChanges(ids: [\"\(bens)\"]) { kind nodeId node { id } }"
        return [
            ("commentChanges", try await world.comments(as: person)),
            ("nodeChanges", try await world.live.subscribe(named, as: person)),
        ]
    }

    private func wait(for subscriptions: [(String, Subscriber)], in world: HiddenWorld) async throws {
        try await world.live.settle()
        for (field, subscriber) in subscriptions {
            try await eventually("all has come to \(field)") { subscriber.isCaughtUp }
        }
    }

    /// Expects the kinds of the events about the comment.
    private func expect(_ subscriber: Subscriber, _ field: String, _ kinds: [String]) {
        let told = HiddenWorld.told(subscriber.all, field).filter { $0.hasSuffix(bens) }
        #expect(told == kinds.map { "\($0) \(bens)" }, "\(field)")
    }

    /// The id of a deleted thought is given to another account's thought, which becomes a draft. Its owner sees the
    /// comments, the owner of the deleted one does not.
    @Test func onAThoughtWhoseIDIsGivenToAnother() async throws {
        let world = try await HiddenWorld.make()
        let (former, owner) = (try await subscriptions(world, as: .ana), try await subscriptions(world, as: .mod))
        for change in [Self.delete, Self.thought(0xC), Self.comment] {
            try await world.live.world.execute(script: change)
        }
        try await wait(for: former + owner, in: world)
        try await world.live.world.execute(script: Self.hide)
        try await wait(for: former + owner, in: world)
        try await world.live.world.execute(
            script: "update comments set text = 'Edited' where id = '\(worldUUID(0x401))'")
        try await wait(for: former + owner, in: world)
        for (field, subscriber) in former { expect(subscriber, field, ["REMOVED", "ADDED", "REMOVED"]) }
        for (field, subscriber) in owner { expect(subscriber, field, ["REMOVED", "ADDED", "CHANGED"]) }
        await world.live.shutdown()
    }

    /// The id of a deleted thought is given to another account's thought, and then to a draft of the first account. Its
    /// owner sees a comment that is imported.
    @Test func onADraftWhoseIDWasAnothersMeanwhile() async throws {
        let world = try await HiddenWorld.make()
        let owner = try await subscriptions(world, as: .ana)
        let imported = "select set_config('app.import', 'on', true); " + Self.comment
        for change in [
            Self.delete, Self.thought(0xC), Self.comment, Self.delete, Self.thought(0xA, "DRAFT"), imported,
        ] {
            try await world.live.world.execute(script: change)
            try await wait(for: owner, in: world)
        }
        for (field, subscriber) in owner { expect(subscriber, field, ["REMOVED", "ADDED", "REMOVED", "ADDED"]) }
        await world.live.shutdown()
    }

    /// The id of a draft that is deleted is given to a published thought.
    @Test(arguments: [UInt64(0xA), 0xC]) func onAThoughtWhoseIDWasADrafts(_ author: UInt64) async throws {
        let world = try await HiddenWorld.make()
        let others = try await subscriptions(world, as: .ben) + subscriptions(world, as: .nobody)
        let changes = [Self.hide, Self.delete, Self.thought(author), Self.comment]
        for change in changes { try await world.live.world.execute(script: change) }
        try await wait(for: others, in: world)
        for (field, subscriber) in others { expect(subscriber, field, ["REMOVED", "ADDED"]) }
        await world.live.shutdown()
    }

    /// The id of a deleted thought is given to another account's thought. A viewer who blocks its owner sees no comments
    /// on it.
    @Test func onAThoughtWhoseIDIsGivenToABlockedPerson() async throws {
        let world = try await HiddenWorld.make()
        let former = try await subscriptions(world, as: .ana)
        for change in [Self.delete, Self.thought(0xC), Self.comment] {
            try await world.live.world.execute(script: change)
        }
        try await wait(for: former, in: world)
        try await world.block(0xC, as: .ana)
        try await wait(for: former, in: world)
        try await world.unblock(0xC, as: .ana)
        try await wait(for: former, in: world)
        for (field, subscriber) in former { expect(subscriber, field, ["REMOVED", "ADDED", "REMOVED", "ADDED"]) }
        await world.live.shutdown()
    }

    /// A client that resumes has missed an edit and the deletion of a comment, whose id is that of a comment on another
    /// thought by now.
    @Test(arguments: [Person.ana, .mod, .nobody]) func whoseIDIsGivenOnAnotherThought(_ person: Person) async throws {
        let world = try await HiddenWorld.make()
        let before = try world.cursor()
        try await update(bens, world, as: .ben)
        try await world.mutate("deleteComment(input: {id: \"\(bens)\"})", as: .ben)
        let other = worldID(.thought, 0x202)
        try await world.mutate(
            "addComment(input: {id: \"\(bens)\", subjectId: \"\(other)\", text: \"Again\"})", as: .ben)
        try await world.live.settle()
        let read = try await world.live.world.ask(
            "{ node(id: \"\(bens)\") { ... on Comment { subject { ... on Thought { id } } } } }", as: person)
        #expect(read.string("node", "subject", "id") == other)
        let text =
            "commentChanges(subjectId: \"\(HiddenWorld.anas[0])\", after: \"\(before)\") { kind nodeId node { id } }"
        let resumed = try await world.live.subscribe(text, as: person)
        try await wait(for: [("commentChanges", resumed)], in: world)
        #expect(HiddenWorld.told(resumed.all, "commentChanges").last == "REMOVED \(bens)")
        #expect(resumed.all.allSatisfy { $0.string("commentChanges", "node", "id") == nil }, "\(resumed.all)")
        await world.live.shutdown()
    }

    // MARK: - A thought and an event with one UUID

    private static let onTheEvent = worldID(.comment, 0x4C1)

    private func comments(of subject: String, _ world: HiddenWorld, as person: Person) async throws -> Subscriber {
        try await world.live.subscribe(
            """
            commentChanges(subjectId: "\(subject)") { kind nodeId node { id } \
            subject { ... on Thought { id } ... on Event { id } } }
            """, as: person)
    }

    /// Makes an event with the UUID of ana's thought, and a comment on it by mod.
    private func makeEvent(_ world: HiddenWorld) async throws {
        try await world.live.world.execute(
            script: """
                insert into events (id, author_id, name, description, starts_at, ends_at) values
                  ('\(worldUUID(0x201))', '\(worldUUID(0xC))', 'An event', 'It begins.', '2099-01-01Z', '2099-01-02Z');
                insert into comments (id, author_id, event_id, text) values
                  ('\(worldUUID(0x4C1))', '\(worldUUID(0xC))', '\(worldUUID(0x201))', 'On the event')
                """)
    }

    /// The lists of the thought's comments have no comment on the event, and the other way round. The comments on the
    /// event stay when the thought becomes a draft.
    @Test(arguments: [Person.ana, .ben, .nobody]) func ofAThoughtAndAnEventWithOneUUID(
        _ person: Person
    ) async throws {
        let world = try await HiddenWorld.make()
        try await makeEvent(world)
        try await world.live.settle()
        let (thought, event) = (HiddenWorld.anas[0], worldID(.event, 0x201))
        let ofThought = try await comments(of: thought, world, as: person)
        let ofEvent = try await comments(of: event, world, as: person)
        let named = try await world.live.subscribe(
            "nodeChanges(ids: [\"\(Self.onTheEvent)\"]) { kind nodeId node { id } }", as: person)
        func waitForAll() async throws {
            try await wait(for: [("the thought's", ofThought), ("the event's", ofEvent), ("named", named)], in: world)
        }
        try await update(Self.onTheEvent, world, as: .mod)
        try await update(bens, world, as: .ben)
        try await waitForAll()
        try await world.mutate("unpublishThought(input: {id: \"\(thought)\"})", as: .ana)
        try await world.mutate("publishThought(input: {id: \"\(thought)\"})", as: .ana)
        try await waitForAll()
        try await world.mutate("deleteComment(input: {id: \"\(Self.onTheEvent)\"})", as: .mod)
        try await world.mutate("deleteComment(input: {id: \"\(bens)\"})", as: .ben)
        try await waitForAll()
        let hidden = person == .ana ? [] : [bens, anas].all("REMOVED") + [bens, anas].all("ADDED")
        #expect(
            HiddenWorld.told(ofThought.all, "commentChanges") == ["CHANGED \(bens)"] + hidden + ["REMOVED \(bens)"])
        #expect(
            HiddenWorld.told(ofEvent.all, "commentChanges")
                == ["CHANGED", "REMOVED"].map { "\($0) \(Self.onTheEvent)" })
        #expect(
            HiddenWorld.told(named.all, "nodeChanges") == ["CHANGED", "REMOVED"].map { "\($0) \(Self.onTheEvent)" })
        for (list, id) in [(ofThought, thought), (ofEvent, event)] {
            // The subject of what is removed may be a draft when it is read.
            let told = list.all.filter { $0.string("commentChanges", "kind") != "REMOVED" }
            for answer in told { #expect(answer.string("commentChanges", "subject", "id") == id, "\(answer.text)") }
        }
        await world.live.shutdown()
    }

    /// Rows from before migration 25 do not tell the kind of the subject.
    @Test(arguments: [Person.ana, .ben, .nobody]) func ofARowWithoutAKind(_ person: Person) async throws {
        let world = try await HiddenWorld.make()
        try await makeEvent(world)
        try await world.live.settle()
        let ofThought = try await comments(of: HiddenWorld.anas[0], world, as: person)
        let ofEvent = try await comments(of: worldID(.event, 0x201), world, as: person)
        try await world.live.world.execute(
            script: """
                update comments set text = 'Edited' where id in ('\(worldUUID(0x401))', '\(worldUUID(0x4C1))');
                update change_log set before.category = null, after.category = null
                where object_id in ('\(worldUUID(0x401))', '\(worldUUID(0x4C1))')
                """)
        try await wait(for: [("the thought's", ofThought), ("the event's", ofEvent)], in: world)
        #expect(HiddenWorld.told(ofThought.all, "commentChanges").contains("CHANGED \(bens)"))
        #expect(HiddenWorld.told(ofEvent.all, "commentChanges").contains("CHANGED \(Self.onTheEvent)"))
        await world.live.shutdown()
    }

    /// The comments on the thought go with its owner, and those on the event with the event's.
    @Test(arguments: [true, false]) func ofTheOwnersOfAThoughtAndAnEventWithOneUUID(isThere: Bool) async throws {
        let world = try await HiddenWorld.make()
        if isThere {
            try await makeEvent(world)
            try await world.live.settle()
        }
        let others = try await subscriptions(world, as: .ben)
        if !isThere { try await makeEvent(world) }
        try await wait(for: others, in: world)
        try await world.block(0xC, as: .ben)
        try await wait(for: others, in: world)
        for (field, subscriber) in others { #expect(subscriber.all.isEmpty, "\(field)") }
        try await world.block(0xA, as: .ben)
        try await wait(for: others, in: world)
        for (field, subscriber) in others { expect(subscriber, field, ["REMOVED"]) }
        await world.live.shutdown()
    }

    // MARK: - Counter changes from before the client's cursor

    /// A cursor may ask for counter changes that were held back. They are older than the state of the thought at the
    /// cursor.
    @Test(arguments: [Person.ben, .nobody]) func afterCountersThatWereHeldBack(_ person: Person) async throws {
        let world = try await HiddenWorld.make()
        let thought = HiddenWorld.anas[0]
        let start = try #require(world.live.world.environment.changes.cursor)
        try await world.mutate("likeThought(input: {thoughtId: \"\(thought)\"})", as: .mod)
        try await world.mutate("unpublishThought(input: {id: \"\(thought)\"})", as: .ana)
        try await world.live.settle()
        let now = try #require(world.live.world.environment.changes.cursor)
        let cursor = ChangeCursor(epoch: now.epoch, position: now.position, held: start.position).text
        try await world.mutate("publishThought(input: {id: \"\(thought)\"})", as: .ana)
        try await world.live.settle()
        let ids = [bens, anas].map { "\"\($0)\"" }.joined(separator: ", ")
        for (field, argument, scope) in [
            ("commentChanges", "subjectId: \"\(thought)\"", "commentsOf: \"\(thought)\""),
            ("nodeChanges", "ids: [\(ids)]", "nodeIds: [\(ids)]"),
        ] {
            let resumed = try await world.live.subscribe(
                "\(field)(\(argument), after: \"\(cursor)\") { kind nodeId node { id } }", as: person)
            try await eventually("\(field) ends") { resumed.isCaughtUp }
            #expect(HiddenWorld.told(resumed.all, field) == [bens, anas].all("ADDED"), "\(field)")
            let list = try await world.live.world.ask(
                "{ changes(after: \"\(cursor)\", scopes: [{\(scope)}]) { nodes { kind nodeId } } }", as: person)
            guard case .list(let nodes) = list["changes", "nodes"] else {
                Issue.record("\(list.text)")
                continue
            }
            let told = nodes.map { node -> String in
                guard case .object(let node) = node, case .string(let kind) = node["kind"],
                    case .string(let id) = node["nodeId"]
                else { return "\(node)" }
                return "\(kind) \(id)"
            }
            #expect(told == [bens, anas].all("ADDED"), "\(field)")
        }
        await world.live.shutdown()
    }

    @Test func onAThoughtThatIsDeleted() async throws {
        let world = try await HiddenWorld.make()
        let comments = try await world.comments(as: .nobody)
        try await world.mutate("deleteThought(input: {id: \"\(HiddenWorld.anas[0])\"})", as: .ana)
        #expect(try await told(comments, 2) == [bens, anas].all("REMOVED"))
        await world.live.shutdown()
    }
}

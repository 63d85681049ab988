import Postgres
import TestSupport
import Testing

@testable import App
@testable import ChangeFeed

/// Writes whose transactions overlap with the beginning of a subscription, or with a block. REMOVED is sent of objects
/// that the client may have, and of no others.
extension OverlappingWritesTests {
    private static let id = worldID(.thought, 0x2D1)
    private static let (ana, ben) = (worldUUID(0xA), worldUUID(0xB))
    private static let publish =
        "update thoughts set status = 'PUBLISHED', published_at = now() where id = '\(worldUUID(0x2D1))'"
    private static let block = "insert into blocks (blocker_id, blocked_id) values ('\(ana)', '\(ben)')"
    private static let unblock = "delete from blocks where blocker_id = '\(ana)' and blocked_id = '\(ben)'"
    private static let bensWithNew = [HiddenWorld.bens[0], id, HiddenWorld.bens[1]]

    private static func create(as status: String = "PUBLISHED") -> String {
        let published = status == "PUBLISHED" ? "now()" : "null"
        return """
            insert into thoughts (id, author_id, category, text, status, published_at)
            values ('\(worldUUID(0x2D1))', '\(ben)', 'FUNNY', 'New', '\(status)', \(published))
            """
    }

    /// The events of a subscription that begins, and is read only after the writes, up to the next change of the marker.
    private static func events(
        in world: HiddenWorld, to person: Person, of subscription: String = "feedChanges",
        _ writes: () async throws -> Void
    ) async throws -> [String] {
        let waiting = try await world.live.stream(
            "\(subscription) { kind nodeId node { id } }", world.live.world.context(as: person))
        try await writes()
        return try await events(in: world, of: Subscriber(waiting), subscription)
    }

    private static func events(
        in world: HiddenWorld, of subscriber: Subscriber, _ subscription: String = "feedChanges"
    ) async throws -> [String] {
        let field = String(subscription.prefix { $0 != "(" })
        try await world.edit(HiddenWorld.marker, as: .mod)
        try await world.live.settle()
        let marker = "CHANGED \(HiddenWorld.marker)"
        let events = try await subscriber.until { HiddenWorld.told([$0], field) == [marker] }
        return HiddenWorld.told(events, field).filter { $0 != marker }
    }

    private static func deleteNew(_ world: HiddenWorld) async throws {
        try await world.mutate("deleteThought(input: {id: \"\(id)\"})", as: .ben)
    }

    // MARK: - Objects that are gone when their change is read

    /// The number of the thought's transaction is older than the subscription, and its end is younger.
    @Test(arguments: [Person.ana, .mod, .zoe]) func whatIsCommittedAfterTheStart(_ person: Person) async throws {
        let world = try await HiddenWorld.make()
        let older = try await world.transaction()
        // A younger transaction ends before the subscription begins.
        try await world.edit(HiddenWorld.anas[0], as: .ana)
        let events = try await Self.events(in: world, to: person) {
            try await older.commit(Self.create())
            try await Self.deleteNew(world)
        }
        #expect(events == ["CHANGED \(HiddenWorld.anas[0])"])
        await world.live.shutdown()
    }

    /// The row has the number of a subtransaction, which is younger than the subscription.
    @Test func whatIsWrittenAfterASavepoint() async throws {
        let world = try await HiddenWorld.make()
        let older = try await world.transaction()
        try await world.edit(HiddenWorld.anas[0], as: .ana)
        let events = try await Self.events(in: world, to: .ana) {
            try await older.commit("savepoint here; \(Self.create())")
            try await Self.deleteNew(world)
        }
        #expect(events == ["CHANGED \(HiddenWorld.anas[0])"])
        await world.live.shutdown()
    }

    /// The row that publishes the thought is filed under the number of the transaction that made it, which ended before
    /// the subscription began.
    @Test func whatIsFiledUnderAnEarlierWrite() async throws {
        let world = try await HiddenWorld.make()
        let older = try await world.transaction()
        try await world.live.world.execute(script: Self.create(as: "DRAFT"))
        let events = try await Self.events(in: world, to: .ana) {
            try await older.commit(Self.publish)
            try await Self.deleteNew(world)
        }
        #expect(events.isEmpty)
        await world.live.shutdown()
    }

    /// When the hiding of the thought is read, its id is another author's.
    @Test(arguments: [Person.ana, .nobody]) func whatIsGivenToAnotherAuthor(_ person: Person) async throws {
        let world = try await HiddenWorld.make()
        let database = world.live.world
        try await database.execute(script: Self.create().replacing("\(Self.ben)", with: "\(worldUUID(0xC))"))
        try await world.live.settle()
        let feed = "feedChanges(filter: {authorId: \"\(worldID(.user, 0xC))\"})"
        let events = try await Self.events(in: world, to: person, of: feed) {
            try await database.execute(
                script: "update thoughts set status = 'DRAFT', published_at = null where id = '\(worldUUID(0x2D1))'")
            try await database.execute(script: "delete from thoughts where id = '\(worldUUID(0x2D1))'")
            try await database.execute(script: Self.create())
        }
        #expect(events == ["REMOVED \(Self.id)"])
        await world.live.shutdown()
    }

    /// The thought is there when the subscription begins, and its row cannot be read yet.
    @Test func whatIsCommittedBeforeTheStart() async throws {
        let world = try await HiddenWorld.make()
        let older = try await world.transaction()
        try await world.live.world.execute(script: Self.create())
        let events = try await Self.events(in: world, to: .ana) {
            try await Self.deleteNew(world)
            try await older.commit("select")
        }
        #expect(events == ["REMOVED \(Self.id)"])
        await world.live.shutdown()
    }

    /// A block ends and is made again, twice. A thought from between is read when the second block has ended. The end of
    /// the second block is read when the third has been made.
    @Test func aBlockThatComesBackTwice() async throws {
        let world = try await HiddenWorld.make()
        try await world.block(0xB, as: .ana)
        try await world.live.settle()
        let waiting = try await world.live.stream(
            "feedChanges { kind nodeId node { id } }", world.live.world.context(as: .ana))
        try await world.unblock(0xB, as: .ana)
        try await world.live.world.execute(script: Self.create())
        try await world.block(0xB, as: .ana)
        try await world.live.settle()
        let older = try await world.transaction()
        try await world.live.world.execute(script: Self.unblock)
        let subscriber = Subscriber(waiting)
        try await eventually("what may be read has come") { subscriber.isCaughtUp }
        #expect(HiddenWorld.told(subscriber.all).first == "ADDED \(Self.id)")
        try await world.live.world.execute(script: Self.block)
        try await older.commit("select")
        try await world.live.settle()
        try await eventually("all has come") { subscriber.isCaughtUp }
        #expect(!HiddenWorld.kept(subscriber.all).contains(Self.id), "\(HiddenWorld.told(subscriber.all))")
        await world.live.shutdown()
    }

    /// A block ends and is made again, before its end is read.
    @Test func aBlockThatComesBack() async throws {
        let world = try await HiddenWorld.make()
        try await world.block(0xB, as: .ana)
        try await world.live.settle()
        let older = try await world.transaction()
        try await world.edit(HiddenWorld.anas[0], as: .ana)
        let events = try await Self.events(in: world, to: .ana) {
            try await older.commit(Self.unblock)
            try await world.block(0xB, as: .ana)
        }
        #expect(events == ["CHANGED \(HiddenWorld.anas[0])"])
        await world.live.shutdown()
    }

    // MARK: - Objects that are made while their author is blocked

    /// The thought is published before the block is written, and the thought's row stands behind the block in the log. So
    /// does the row of a draft's edit, which was committed before the subscription began.
    @Test(arguments: [false, true]) func aBlockBesideANewThought(_ isDraftFirst: Bool) async throws {
        let world = try await HiddenWorld.make()
        let database = world.live.world
        if isDraftFirst { try await database.execute(script: Self.create(as: "DRAFT")) }
        let older = try await world.transaction()
        if isDraftFirst {
            try await database.execute(
                script: "update thoughts set category = 'CRAZY' where id = '\(worldUUID(0x2D1))'")
        }
        let events = try await Self.events(in: world, to: .ana) {
            let younger = try await world.transaction()
            try await younger.connection.execute(script: isDraftFirst ? Self.publish : Self.create())
            try await older.commit(Self.block)
            try await younger.commit("select")
        }
        #expect(events == HiddenWorld.bens.all("REMOVED"))
        await world.live.shutdown()
    }

    /// The client may have read the thought before the block was committed, whichever of the two was written first.
    @Test(arguments: [false, true]) func aBlockAfterWhatTheClientMayHave(_ isBlockFirst: Bool) async throws {
        let world = try await HiddenWorld.make()
        let older = try await world.transaction()
        if isBlockFirst { try await older.connection.execute(script: Self.block) }
        try await world.live.world.execute(script: Self.create())
        let events = try await Self.events(in: world, to: .ana) {
            try await older.commit(isBlockFirst ? "select" : Self.block)
        }
        #expect(events == Self.bensWithNew.all("REMOVED"))
        await world.live.shutdown()
    }

    /// A client that comes back after all of it gets the same, whether it subscribes or asks for a list.
    @Test func aBlockAfterWhatTheClientMayHaveReadBeforeABreak() async throws {
        let world = try await HiddenWorld.make()
        let before = try world.cursor()
        let older = try await world.transaction()
        try await world.live.world.execute(script: Self.create())
        try await older.commit(Self.block)
        // Behind the block, and written after it: the client cannot have it.
        let hidden = worldID(.thought, 0x2D2)
        try await world.mutate("createThought(input: {id: \"\(hidden)\", category: FUNNY, text: \"x\"})", as: .ben)
        try await world.live.settle()
        let expected = Self.bensWithNew.all("REMOVED")
        #expect(try await Self.events(in: world, of: world.feed(after: before, as: .ana)) == expected)
        #expect(try await world.list(after: before, as: .ana).dropLast() == expected)
        await world.live.shutdown()
    }

    /// The thought is written before the block ends, and stands behind that end in the log: its own row adds it.
    @Test func anEndOfABlockBesideANewThought() async throws {
        let world = try await HiddenWorld.make()
        try await world.block(0xB, as: .ana)
        try await world.live.settle()
        let events = try await Self.events(in: world, to: .ana) {
            let (older, younger) = (try await world.transaction(), try await world.transaction())
            try await younger.connection.execute(script: Self.create())
            try await older.commit(Self.unblock)
            try await younger.commit("select")
        }
        #expect(events == (HiddenWorld.bens + [Self.id]).all("ADDED"))
        await world.live.shutdown()
    }

    /// A message of the viewer is written before the block by the other participant, and stands behind it in the log.
    @Test func aBlockBesideAnOwnMessage() async throws {
        let world = try await HiddenWorld.make()
        let waiting = try await world.live.stream(
            "messageChanges { kind nodeId node { id } }", world.live.world.context(as: .ana))
        let (older, younger) = (try await world.transaction(), try await world.transaction())
        try await younger.connection.execute(script: Self.message(0x7F1, by: Self.ana))
        try await older.commit("insert into blocks (blocker_id, blocked_id) values ('\(Self.ben)', '\(Self.ana)')")
        try await younger.commit("select")
        let last = worldID(.message, 0x7F2)
        let input = "id: \"\(last)\", conversationId: \"\(worldID(.conversation, 0x602))\", text: \"Hi\""
        try await world.mutate("sendMessage(input: {\(input)})", as: .mod)
        let answers = try await Subscriber(waiting).until {
            HiddenWorld.told([$0], "messageChanges") == ["ADDED \(last)"]
        }
        let pair = [worldID(.message, 0x701), worldID(.message, 0x702)]
        #expect(HiddenWorld.told(answers.dropLast(), "messageChanges") == pair.all("REMOVED"))
        await world.live.shutdown()
    }

    // MARK: - Objects that are named

    private static func message(_ low: UInt64, by author: UUID, in conversation: UInt64 = 0x601) -> String {
        """
        insert into messages (id, conversation_id, author_id, text)
        values ('\(worldUUID(low))', '\(worldUUID(conversation))', '\(author)', 'Hi')
        """
    }

    /// A thought, a comment and two messages that a block hides.
    private static let named = [
        id, worldID(.comment, 0x4D1), worldID(.message, 0x7F1), worldID(.message, 0x7F2),
    ]
    private static let createNamed = """
        \(create());
        insert into comments (id, thought_id, author_id, text)
        values ('\(worldUUID(0x4D1))', '\(worldUUID(0x201))', '\(ben)', 'New');
        \(message(0x7F1, by: ben)); \(message(0x7F2, by: ana))
        """
    private static let namedChanges =
        "nodeChanges(ids: [\((named + [HiddenWorld.marker]).map { "\"\($0)\"" }.joined(separator: ", "))])"

    /// The client may have read the objects before the block was committed, which stands before them in the log.
    @Test(arguments: [false, true]) func aBlockAfterWhatIsNamed(_ isBlockFirst: Bool) async throws {
        let world = try await HiddenWorld.make()
        let older = try await world.transaction()
        if isBlockFirst { try await older.connection.execute(script: Self.block) }
        try await world.live.world.execute(script: Self.createNamed)
        let events = try await Self.events(in: world, to: .ana, of: Self.namedChanges) {
            try await older.commit(isBlockFirst ? "select" : Self.block)
            // Nothing more is told of it.
            try await world.edit(Self.id, as: .ben)
        }
        #expect(events == Self.named.all("REMOVED"))
        await world.live.shutdown()
    }

    /// The thought is published behind the block, and so is a comment on it. Each is removed once.
    @Test func aBlockAfterWhatIsPublished() async throws {
        let world = try await HiddenWorld.make()
        let comment = worldID(.comment, 0x4D2)
        let database = world.live.world
        try await database.execute(
            script: """
                \(Self.create(as: "DRAFT"));
                insert into comments (id, thought_id, author_id, text)
                values ('\(worldUUID(0x4D2))', '\(worldUUID(0x2D1))', '\(worldUUID(0xD))', 'New')
                """)
        try await world.live.settle()
        let older = try await world.transaction()
        let hide = "update thoughts set status = 'DRAFT', published_at = null where id = '\(worldUUID(0x2D1))'"
        for script in [Self.publish, hide, Self.publish] { try await database.execute(script: script) }
        let names = [Self.id, comment, HiddenWorld.marker].map { "\"\($0)\"" }.joined(separator: ", ")
        let events = try await Self.events(in: world, to: .ana, of: "nodeChanges(ids: [\(names)])") {
            try await older.commit(Self.block)
        }
        #expect(events == [Self.id, comment].all("REMOVED"))
        await world.live.shutdown()
    }

    /// A moderator cannot have read a message of a person who had blocked them.
    @Test func aBlockOfSomebodyWhoBlockedTheViewer() async throws {
        let world = try await HiddenWorld.make()
        // Ben comes back into the conversation with Ana and the moderator.
        let people = [worldID(.user, 0xA), worldID(.user, 0xC)].map { "\"\($0)\"" }.joined(separator: ", ")
        try await world.mutate("startConversation(input: {participantIds: [\(people)]})", as: .ben)
        try await world.block(0xC, as: .ben)
        try await world.live.settle()
        let older = try await world.transaction()
        try await world.live.world.execute(script: Self.message(0x7F1, by: Self.ben, in: 0x602))
        let events = try await Self.events(in: world, to: .mod, of: Self.namedChanges) {
            try await older.commit(
                "insert into blocks (blocker_id, blocked_id) values ('\(worldUUID(0xC))', '\(Self.ben)')")
        }
        #expect(events.isEmpty)
        await world.live.shutdown()
    }

    /// The objects are committed after the subscription began, and after the block.
    @Test func aBlockBesideWhatIsNamed() async throws {
        let world = try await HiddenWorld.make()
        let waiting = try await world.live.stream(
            "\(Self.namedChanges) { kind nodeId node { id } }", world.live.world.context(as: .ana))
        let (older, younger) = (try await world.transaction(), try await world.transaction())
        try await younger.connection.execute(script: Self.createNamed)
        try await older.commit(Self.block)
        try await younger.commit("select")
        try await world.live.settle()
        let subscriber = Subscriber(waiting)
        try await eventually("all is read") { subscriber.isCaughtUp }
        #expect(subscriber.count == 0)
        try await world.unblock(0xB, as: .ana)
        let events = try await Self.events(in: world, of: subscriber, Self.namedChanges)
        #expect(Set(events) == Set(Self.named.all("ADDED")) && events.count == Self.named.count)
        await world.live.shutdown()
    }
}

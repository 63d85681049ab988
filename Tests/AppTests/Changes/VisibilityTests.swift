import GraphQL
import Postgres
import TestSupport
import Testing

@testable import App

/// At no moment does an event say more than a query would, and the loss of sight is told once.
@Suite struct VisibilityTests {
    private static let anas = HiddenWorld.anas
    private static let bens = HiddenWorld.bens
    private static let marker = HiddenWorld.marker
    /// Ben's and Ana's on a thought of Ana's, and Ana's on Ben's event.
    private static let comments = [worldID(.comment, 0x401), worldID(.comment, 0x402), worldID(.comment, 0x403)]

    private static func names(_ ids: [String], after: String? = nil) -> String {
        let ids = (ids + [marker]).map { "\"\($0)\"" }.joined(separator: ", ")
        return "nodeChanges(ids: [\(ids)]\(after.map { ", after: \"\($0)\"" } ?? "")) { kind nodeId node { id } }"
    }

    /// All that came until the marker's change.
    private static func told(_ subscriber: Subscriber, _ field: String = "nodeChanges") async throws -> [String] {
        let answers = try await subscriber.until { $0.string(field, "nodeId") == marker }
        // More may have come since.
        return HiddenWorld.told(Array(answers.prefix { $0.string(field, "nodeId") != marker }), field)
    }

    private static func update(_ comment: String, _ world: HiddenWorld, as person: Person) async throws {
        try await world.mutate("updateComment(input: {id: \"\(comment)\", text: \"Edited\"})", as: person)
    }

    /// Several subscriptions of one connection that catch up: each is told of what one alone would be.
    @Test(arguments: [1, 2, 5]) func aBlockHoldsForAllSubscriptionsOfAConnection(_ count: Int) async throws {
        let world = try await HiddenWorld.make()
        let before = try world.cursor()
        for (thought, person) in [(Self.bens[0], Person.ben), (Self.anas[0], .ana)] {
            try await world.edit(thought, as: person)
        }
        try await world.block(0xB, as: .ana)
        for (thought, person) in [(Self.bens[0], Person.ben), (Self.anas[0], .ana), (Self.marker, .mod)] {
            let secret = "updateThought(input: {id: \"\(thought)\", text: \"Since\"})"
            try await world.mutate(secret, as: person)
        }
        try await world.live.settle()
        for (number, viewer) in [Person.ana, .ben].enumerated() {
            let (others, own) = number == 0 ? (Self.bens, Self.anas[0]) : (Self.anas, Self.bens[0])
            var context = world.live.world.context(as: viewer)
            context.clientConnectionID = UInt64(number + 1)
            context.resumeAfter = before
            var subscribers: [Subscriber] = []
            for _ in 1...count {
                subscribers.append(
                    try await world.live.subscribe(
                        "feedChanges { kind nodeId cursor node { id ... on Thought { text } } }", context))
            }
            for subscriber in subscribers {
                let told = try await Self.told(subscriber, "feedChanges")
                #expect(told.filter { !$0.hasSuffix(own) } == others.all("REMOVED"))
                #expect(told.filter { $0.hasSuffix(own) } == [own, own].all("CHANGED"))
            }
        }
        await world.live.shutdown()
    }

    /// Of a person who blocked the viewer nothing is to be noticed on what others said there.
    @Test func commentsOnWhatABlockHides() async throws {
        let world = try await HiddenWorld.make()
        let (thought, event) = (Self.anas[0], Self.anas[2])
        let mods = [worldID(.comment, 0x4D1), worldID(.comment, 0x4D2)]
        for (comment, subject) in zip(mods, [thought, event]) {
            let input = "id: \"\(comment)\", subjectId: \"\(subject)\", text: \"Mod's\""
            try await world.mutate("addComment(input: {\(input)})", as: .mod)
        }
        try await world.live.settle()
        let before = try world.cursor()
        let live = try await world.live.subscribe(Self.names(mods), as: .ben)
        for comment in mods { try await Self.update(comment, world, as: .mod) }
        _ = try await live.take(2)
        try await world.block(0xB, as: .ana)
        try await world.live.settle()
        let later = try world.cursor()
        let late = try await world.live.subscribe(Self.names(mods), as: .ben)
        for _ in 1...3 { for comment in mods { try await Self.update(comment, world, as: .mod) } }
        try await world.mutate("deleteComment(input: {id: \"\(mods[1])\"})", as: .mod)
        try await world.edit(Self.marker, as: .mod)
        #expect(try await Self.told(live) == mods.all("CHANGED") + mods.all("REMOVED"))
        #expect(try await Self.told(late) == [])
        let replica = HiddenWorld(live: try await LiveWorld(world.live.world))
        for place in [world, replica] {
            let resumed = try await place.live.subscribe(Self.names(mods, after: before), as: .ben)
            #expect(try await Self.told(resumed) == mods.all("REMOVED"))
            let since = try await place.live.subscribe(Self.names(mods, after: later), as: .ben)
            #expect(try await Self.told(since) == [])
        }
        try await world.unblock(0xB, as: .ana)
        #expect(HiddenWorld.told(try await late.take(2), "nodeChanges").last == "ADDED \(mods[0])")
        await replica.live.stop()
        await world.live.shutdown()
    }

    /// A comment that is not there yet when it is named follows what it is on as others do.
    @Test func commentsThatComeLater() async throws {
        let world = try await HiddenWorld.make()
        let (thought, comment) = (worldID(.thought, 0x2E1), worldID(.comment, 0x4E1))
        let other = try await world.live.subscribe(Self.names([comment]), as: .ben)
        try await world.mutate(
            "createThought(input: {id: \"\(thought)\", category: FUNNY, text: \"New\"})", as: .ana)
        try await world.mutate(
            "addComment(input: {id: \"\(comment)\", subjectId: \"\(thought)\", text: \"New\"})", as: .ana)
        _ = try await other.take(1)
        try await world.mutate("unpublishThought(input: {id: \"\(thought)\"})", as: .ana)
        _ = try await other.take(2)
        try await Self.update(comment, world, as: .ana)
        try await world.mutate("publishThought(input: {id: \"\(thought)\"})", as: .ana)
        _ = try await other.take(3)
        try await world.block(0xB, as: .ana)
        try await Self.update(comment, world, as: .ana)
        try await world.edit(Self.marker, as: .mod)
        let kinds = ["ADDED", "REMOVED", "ADDED", "REMOVED"]
        #expect(try await Self.told(other) == kinds.map { "\($0) \(comment)" })
        await world.live.shutdown()
    }

    /// What hides it first hides it: neither a second block nor a draft is told of.
    @Test func whatIsHiddenTwiceGoesOnce() async throws {
        let world = try await HiddenWorld.make()
        let thought = Self.anas[0]
        let named = try await world.live.subscribe(Self.names(Self.comments), as: .zoe)
        let listed = try await world.live.subscribe(
            "commentChanges(subjectId: \"\(thought)\") { kind nodeId node { id } }", as: .zoe)
        let blocks = [0xB, 0xA as UInt64].map { "('\(worldUUID($0))', '\(worldUUID(0xD))')" }
        // Each step is told of before the next: what came and went at once would not be.
        for (block, told) in zip(blocks, [2, 3]) {
            try await world.live.world.execute(script: "insert into blocks (blocker_id, blocked_id) values \(block)")
            _ = try await named.take(told)
            _ = try await listed.take(told - 1)
        }
        try await world.mutate("unpublishThought(input: {id: \"\(thought)\"})", as: .ana)
        try await world.mutate("publishThought(input: {id: \"\(thought)\"})", as: .ana)
        for told in [4, 6] {
            try await world.live.world.execute(
                script: """
                    delete from blocks where (blocker_id, blocked_id) in \
                    (select blocker_id, blocked_id from blocks order by blocker_id limit 1)
                    """)
            _ = try await named.take(told)
        }
        _ = try await listed.take(4)
        try await world.edit(Self.marker, as: .mod)
        try await Self.update(Self.comments[0], world, as: .ben)
        // With Ben his comment goes, and Ana's on his event; with Ana hers. They come in the other order.
        let gone = [Self.comments[0], Self.comments[2], Self.comments[1]].all("REMOVED")
        let back = [Self.comments[1], Self.comments[0], Self.comments[2]].all("ADDED")
        let told = try await Self.told(named)
        #expect(told == gone + back, "\(told)")
        let list = HiddenWorld.told(try await listed.take(5), "commentChanges")
        #expect(
            list == Self.comments[..<2].map { "REMOVED \($0)" } + [Self.comments[1], Self.comments[0]].all("ADDED")
                + ["CHANGED \(Self.comments[0])"])
        await world.live.shutdown()
    }

    /// Moderators see who blocked them, but in their mail.
    @Test func mailOfModerators() async throws {
        let world = try await HiddenWorld.make()
        let started = try await world.live.world.ask(
            "mutation { startConversation(input: {participantIds: [\"\(worldID(.user, 0xC))\"]}) { conversation { id } } }",
            as: .ben)
        let conversation = try #require(started.string("startConversation", "conversation", "id"), "\(started.text)")
        let message = worldID(.message, 0x7E1)
        let input = "id: \"\(message)\", conversationId: \"\(conversation)\", text: \"Hi\""
        try await world.mutate("sendMessage(input: {\(input)})", as: .ben)
        try await world.live.settle()
        let mod = try await world.live.subscribe(Self.names([conversation, message, Self.bens[0]]), as: .mod)
        try await world.block(0xC, as: .ben)
        try await world.edit(Self.bens[0], as: .ben)
        try await world.edit(Self.marker, as: .mod)
        let told = try await Self.told(mod)
        #expect(Set(told.prefix(2)) == Set([conversation, message].all("REMOVED")))
        #expect(told.suffix(1) == ["CHANGED \(Self.bens[0])"] && told.count == 3)
        await world.live.shutdown()
    }

    /// A client names a conversation with one person, or a message in it, before the conversation or the message exists.
    /// Both are hidden with that person.
    @Test(arguments: [UInt64(0xA), 0xD]) func mailThatIsNamedBeforeItExists(_ other: UInt64) async throws {
        let world = try await HiddenWorld.make()
        // With Ana there is a conversation already.
        let conversation = worldID(.conversation, other == 0xA ? 0x601 : 0x6F1)
        let message = worldID(.message, 0x7F1)
        let both = [conversation, message]
        let named = try await world.live.subscribe(Self.names(both), as: .ben)
        let messageAlone = try await world.live.subscribe(Self.names([message]), as: .ben)
        let start = "id: \"\(conversation)\", participantIds: [\"\(worldID(.user, other))\"]"
        try await world.mutate("startConversation(input: {\(start)})", as: .ben)
        let input = "id: \"\(message)\", conversationId: \"\(conversation)\", text: \"Hi\""
        try await world.mutate("sendMessage(input: {\(input)})", as: .ben)
        func untilRead() async throws {
            try await world.live.settle()
            try await eventually("all is read") { named.isCaughtUp && messageAlone.isCaughtUp }
        }
        try await untilRead()
        try await world.block(other, as: .ben)
        try await untilRead()
        try await world.unblock(other, as: .ben)
        try await untilRead()
        try await world.edit(Self.marker, as: .mod)
        let told = try await Self.told(named)
        #expect(told.dropLast(4).contains("ADDED \(message)"), "\(told)")
        #expect(told.suffix(4) == both.all("REMOVED") + both.all("ADDED"))
        #expect(try await Self.told(messageAlone) == ["ADDED \(message)", "REMOVED \(message)", "ADDED \(message)"])
        await world.live.shutdown()
    }

    /// The tail may not have told of a block yet when what was offered before is read.
    @Test func aBlockThatTheTailHasNotRead() async throws {
        let world = try await HiddenWorld.make()
        let waiting = try await world.live.stream(
            "feedChanges { kind nodeId node { id } }", world.live.world.context(as: .ana))
        try await world.edit(Self.bens[0], as: .ben)
        try await world.live.settle()
        let database = world.live.world
        let older = try await DedicatedConnection.open(ConnectionConfiguration(database.url))
        try await older.execute(script: "begin; select pg_current_xact_id()")
        try await world.block(0xB, as: .ana)
        let subscriber = Subscriber(waiting)
        // The subscriber reads of the block, and is told nothing, while the older transaction runs.
        try await eventually("the block is read") {
            database.statements.take().flatMap(\.statements).contains { $0.contains("join users") }
        }
        #expect(subscriber.count == 0)
        await older.close()
        let expected = Self.bens.all("REMOVED")
        #expect(HiddenWorld.told(try await subscriber.take(expected.count)) == expected)
        await world.live.shutdown()
    }

    /// What was read for others when a change was new is not told to somebody who reads it later.
    @Test func whatWasReadForOthersGrowsOld() async throws {
        let world = try await HiddenWorld.make()
        let text = "feedChanges { kind nodeId node { id } }"
        let slow = try await world.live.stream(text, world.live.world.context(as: .nobody))
        let quick = try await world.live.subscribe(text, as: .nobody)
        try await world.edit(Self.anas[0], as: .ana)
        #expect(HiddenWorld.told(try await quick.take(1)) == ["CHANGED \(Self.anas[0])"])
        try await world.mutate("unpublishThought(input: {id: \"\(Self.anas[0])\"})", as: .ana)
        try await world.live.settle()
        #expect(HiddenWorld.told(try await Subscriber(slow).take(1)) == ["REMOVED \(Self.anas[0])"])
        await world.live.shutdown()
    }

    /// What went after a block had ended is not told where that end was not, nor what came behind one.
    @Test func whatABlockShowedOrHidOnlyForAWhile() async throws {
        let world = try await HiddenWorld.make()
        try await world.block(0xB, as: .ana)
        try await world.live.settle()
        let waiting = try await world.live.stream(
            "feedChanges { kind nodeId node { id } }", world.live.world.context(as: .ana))
        try await world.unblock(0xB, as: .ana)
        try await world.mutate("unpublishThought(input: {id: \"\(Self.bens[0])\"})", as: .ben)
        try await world.mutate("deleteEvent(input: {id: \"\(Self.bens[1])\"})", as: .ben)
        try await world.live.settle()
        let shown = try world.cursor()
        try await world.block(0xB, as: .ana)
        try await world.mutate("publishThought(input: {id: \"\(Self.bens[0])\"})", as: .ben)
        try await world.edit(Self.marker, as: .mod)
        try await world.live.settle()
        for subscriber in [Subscriber(waiting), try await world.feed(after: shown, as: .ana)] {
            #expect(try await Self.told(subscriber, "feedChanges") == [])
        }
        await world.live.shutdown()
    }

    /// What came and went before it could be told of is nobody's business, but of who may have read it meanwhile.
    @Test func whatCameAndWentIsNotTold() async throws {
        let world = try await HiddenWorld.make()
        let before = try world.cursor()
        let (gone, draft) = (worldID(.thought, 0x2F1), worldID(.thought, 0x2F2))
        let context = world.live.world.context(as: .ben)
        let waiting = [
            try await world.live.stream("feedChanges { kind nodeId node { id } }", context),
            try await world.live.stream(Self.names([gone, draft]), context),
        ]
        for id in [gone, draft] {
            try await world.mutate("createThought(input: {id: \"\(id)\", category: FUNNY, text: \"x\"})", as: .ana)
        }
        try await world.edit(gone, as: .ana)
        try await world.mutate("deleteThought(input: {id: \"\(gone)\"})", as: .ana)
        try await world.mutate("unpublishThought(input: {id: \"\(draft)\"})", as: .ana)
        try await world.edit(Self.marker, as: .mod)
        try await world.live.settle()
        for (stream, field) in zip(waiting, ["feedChanges", "nodeChanges"]) {
            #expect(try await Self.told(Subscriber(stream), field) == [])
        }
        let removed = [gone, draft].all("REMOVED")
        #expect(try await Self.told(try await world.feed(after: before, as: .ben), "feedChanges") == removed)
        #expect(try await world.list(after: before, as: .ben) == removed + ["CHANGED \(Self.marker)"])
        await world.live.shutdown()
    }
}

import GraphQL
import Postgres
import Testing

@testable import App

/// Each as one who takes part, one who never did, one who has left, and nobody.
@Suite struct ChatSubscriptionTests {
    private static let pair = worldID(.conversation, 0x601)
    /// Of Ana and Mod; Ben has left it.
    private static let three = worldID(.conversation, 0x602)

    private static func send(_ live: LiveWorld, _ text: String, to conversation: String, as person: Person) async throws
        -> String
    {
        let answer = try await live.world.ask(
            "mutation { sendMessage(input: {conversationId: \"\(conversation)\", text: \"\(text)\"}) { message { id } } }",
            as: person)
        return try #require(answer.string("sendMessage", "message", "id"), "\(answer.text)")
    }

    private static func edit(_ live: LiveWorld, _ field: String, as person: Person) async throws {
        let answer = try await live.world.ask("mutation { \(field) }", as: person)
        #expect(answer.isData, "\(answer.text)")
    }

    private static func kinds(_ answers: [Answer], _ field: String) -> [String] {
        answers.map { $0.string(field, "kind") ?? $0.text }
    }

    private static func texts(_ answers: [Answer]) -> [String?] {
        answers.map { $0.string("messageChanges", "node", "text") }
    }

    @Test func whatIsSaidReachesThoseWhoTakePart() async throws {
        let live = try await LiveWorld.make()
        let fields = "{ kind nodeId cursor node { text author { username } } conversation { id unreadCount } }"
        let one = try await live.subscribe("messageChanges(conversationId: \"\(Self.pair)\") \(fields)", as: .ana)
        let all = try await live.subscribe("messageChanges \(fields)", as: .ben)
        let outsider = try await live.subscribe("messageChanges \(fields)", as: .mod)
        for (person, code) in [(Person.mod, "NOT_FOUND"), (.nobody, "UNAUTHENTICATED")] {
            let refused = try await live.subscribe(
                "messageChanges(conversationId: \"\(Self.pair)\") \(fields)", as: person)
            #expect(refused.refusal?.code == code)
        }
        #expect(try await live.subscribe("messageChanges \(fields)", as: .nobody).refusal?.code == "UNAUTHENTICATED")
        let left = try await live.subscribe("messageChanges(conversationId: \"\(Self.three)\") \(fields)", as: .ben)
        #expect(left.refusal?.code == "NOT_FOUND")

        let id = try await Self.send(live, "Hi", to: Self.pair, as: .ana)
        _ = try await one.take(1)
        _ = try await all.take(1)
        try await Self.edit(live, "updateMessage(input: {id: \"\(id)\", text: \"Ho\"}) { message { id } }", as: .ana)
        _ = try await one.take(2)
        _ = try await all.take(2)
        try await Self.edit(live, "deleteMessage(input: {id: \"\(id)\"}) { deletedId }", as: .ana)
        for subscriber in [one, all] {
            let answers = try await subscriber.take(3)
            #expect(Self.kinds(answers, "messageChanges") == ["ADDED", "CHANGED", "REMOVED"])
            #expect(Self.texts(answers) == ["Hi", "Ho", nil])
            #expect(answers.allSatisfy { $0.string("messageChanges", "nodeId") == id })
            #expect(answers.allSatisfy { $0.string("messageChanges", "conversation", "id") == Self.pair })
        }
        #expect(try await one.take(1)[0].string("messageChanges", "node", "author", "username") == "ana")
        try await live.settle()
        #expect(outsider.count == 0)
        await live.shutdown()
    }

    @Test func leavingEndsWhatIsSeen() async throws {
        let live = try await LiveWorld.make()
        let before = try #require(try await live.world.ask("{ changeCursor }", as: .nobody).string("changeCursor"))
        let fields = "{ kind nodeId node { text } }"
        let list = try await live.subscribe("conversationChanges { kind nodeId node { id } }", as: .mod)
        let one = try await live.subscribe("messageChanges(conversationId: \"\(Self.three)\") \(fields)", as: .mod)
        let all = try await live.subscribe("messageChanges \(fields)", as: .mod)
        // A message that is named goes and comes with its conversation.
        let named = [Self.three, worldID(.message, 0x703)]
        let those = try await live.subscribe(
            "nodeChanges(ids: [\"\(named[0])\", \"\(named[1])\"]) { kind nodeId }", as: .mod)
        let unconcerned = try await live.subscribe("conversationChanges { kind nodeId }", as: .zoe)
        _ = try await Self.send(live, "1", to: Self.three, as: .ana)
        for messages in [one, all] { #expect(Self.texts(try await messages.take(1)) == ["1"]) }
        // Else it is read after the viewer has left.
        _ = try await list.take(1)
        _ = try await those.take(1)
        try await Self.edit(
            live, "leaveConversation(input: {conversationId: \"\(Self.three)\"}) { conversationId }", as: .mod)
        #expect(Self.kinds(try await list.take(2), "conversationChanges") == ["CHANGED", "REMOVED"])
        _ = try await Self.send(live, "2", to: Self.three, as: .ana)
        try await live.world.execute(
            script: "update messages set text = 'Changed.' where id = '\(worldUUID(0x703))'")
        try await live.settle()
        let people = [0xA, 0xB as UInt64].map { "\"\(worldID(.user, $0))\"" }.joined(separator: ", ")
        try await Self.edit(
            live, "startConversation(input: {participantIds: [\(people)]}) { conversation { id } }", as: .mod)
        #expect(Self.kinds(try await list.take(3), "conversationChanges") == ["CHANGED", "REMOVED", "ADDED"])
        _ = try await Self.send(live, "3", to: Self.three, as: .ana)
        for messages in [one, all] { #expect(Self.texts(try await messages.take(2)) == ["1", "3"]) }
        let changes = try await list.take(4)
        #expect(Self.kinds(changes, "conversationChanges") == ["CHANGED", "REMOVED", "ADDED", "CHANGED"])
        #expect(changes.allSatisfy { $0.string("conversationChanges", "nodeId") == Self.three })
        #expect(
            HiddenWorld.kindsAndIDs(try await those.take(6), "nodeChanges")
                == ["CHANGED \(Self.three)"] + named.all("REMOVED") + named.all("ADDED") + ["CHANGED \(Self.three)"])
        // What was missed is what would have come.
        let late = try await live.subscribe("messageChanges(after: \"\(before)\") \(fields)", as: .mod)
        #expect(Self.texts(try await late.take(2)) == ["1", "3"])
        // In the log alone, on a replica that began later.
        let replica = try await LiveWorld(live.world)
        let elsewhere = try await replica.subscribe("messageChanges(after: \"\(before)\") \(fields)", as: .mod)
        #expect(Self.texts(try await elsewhere.take(2)) == ["1", "3"])
        try await live.settle()
        #expect([one, all, late, elsewhere].map(\.count) == [2, 2, 2, 2])
        #expect(unconcerned.count == 0)
        await replica.stop()
        await live.shutdown()
    }

    @Test func whoComesHearsFromThenOn() async throws {
        let live = try await LiveWorld.make()
        let all = try await live.subscribe("messageChanges { kind node { text } }", as: .ben)
        let list = try await live.subscribe(
            "conversationChanges { kind nodeId node { participants { user { id } } } }", as: .zoe)
        _ = try await Self.send(live, "Before", to: Self.three, as: .ana)
        let people = [0xA, 0xC as UInt64].map { "\"\(worldID(.user, $0))\"" }.joined(separator: ", ")
        try await Self.edit(
            live, "startConversation(input: {participantIds: [\(people)]}) { conversation { id } }", as: .ben)
        _ = try await Self.send(live, "After", to: Self.three, as: .ana)
        #expect(Self.texts(try await all.take(1)) == ["After"])
        #expect(
            try await live.subscribe("conversationChanges { kind }", as: .nobody).refusal?.code == "UNAUTHENTICATED")
        #expect(list.count == 0)
        await live.shutdown()
    }

    @Test func notificationsOfTheirOwner() async throws {
        let live = try await LiveWorld.make()
        let fields = "{ kind nodeId cursor node { kind text readAt } }"
        let own = try await live.subscribe("notificationChanges \(fields)", as: .ana)
        let other = try await live.subscribe("notificationChanges \(fields)", as: .mod)
        #expect(
            try await live.subscribe("notificationChanges \(fields)", as: .nobody).refusal?.code == "UNAUTHENTICATED")
        let comment =
            "addComment(input: {subjectId: \"\(worldID(.thought, 0x203))\", text: \"Oh.\"}) { comment { id } }"
        try await Self.edit(live, comment, as: .ben)
        let added = try await own.take(1)[0]
        let id = try #require(added.string("notificationChanges", "nodeId"))
        #expect(added.string("notificationChanges", "node", "kind") == "COMMENT")
        try await Self.edit(live, "markNotificationsRead(input: {ids: [\"\(id)\"]}) { viewer { id } }", as: .ana)
        let answers = try await own.take(2)
        #expect(Self.kinds(answers, "notificationChanges") == ["ADDED", "CHANGED"])
        #expect(answers.map { $0.string("notificationChanges", "node", "readAt") != nil } == [false, true])
        #expect(answers[1].string("notificationChanges", "nodeId") == id)
        try await live.settle()
        #expect(other.count == 0)
        await live.shutdown()
    }

    @Test func badgesFollow() async throws {
        let live = try await LiveWorld.make()
        let badges = try await live.subscribe("viewerChanges { viewer { unreadMessageCount } cursor }", as: .ben)
        func counts(_ count: Int) async throws -> [Int?] {
            try await badges.take(count).map { $0.int("viewerChanges", "viewer", "unreadMessageCount") }
        }
        let unread = try #require(
            try await live.world.ask("{ viewer { unreadMessageCount } }", as: .ben).int("viewer", "unreadMessageCount"))
        let id = try await Self.send(live, "Hi", to: Self.pair, as: .ana)
        // A message, and the notification of it.
        #expect(try await counts(2).last == unread + 1)
        try await Self.edit(
            live,
            "markConversationRead(input: {conversationId: \"\(Self.pair)\", messageId: \"\(id)\"}) { viewer { id } }",
            as: .ben)
        #expect(try await counts(3).last == 0)
        await live.shutdown()
    }

    /// The end of the block shows what was there. A message that was sent after that is added by its own row.
    @Test func anOwnMessageAfterABlockComesOnce() async throws {
        let world = try await HiddenWorld.make()
        try await world.block(0xB, as: .ana)
        try await world.live.settle()
        let cursor = try world.cursor()
        try await world.unblock(0xB, as: .ana)
        let sent = [
            try await Self.send(world.live, "Mine", to: Self.pair, as: .ana),
            try await Self.send(world.live, "Yours", to: Self.pair, as: .ben),
        ]
        let there = [worldID(.message, 0x701), worldID(.message, 0x702)]
        for arguments in ["", "conversationId: \"\(Self.pair)\", "] {
            let resumed = try await world.live.subscribe(
                "messageChanges(\(arguments)after: \"\(cursor)\") { kind nodeId node { id } }", as: .ana)
            let told = HiddenWorld.told(try await resumed.take(4), "messageChanges")
            #expect(told == (there + sent).all("ADDED"))
        }
        await world.live.shutdown()
    }

    /// What two wrote to each other goes with a block for both, also where it is named by its ids.
    @Test func aBlockHidesMailThatIsNamed() async throws {
        let world = try await HiddenWorld.make()
        let message = worldID(.message, 0x702)
        let text = "nodeChanges(ids: [\"\(Self.pair)\", \"\(message)\"]) { kind nodeId node { id } }"
        let both = [try await world.live.subscribe(text, as: .ana), try await world.live.subscribe(text, as: .ben)]
        func told(_ count: Int) async throws -> [[String]] {
            var told: [[String]] = []
            for one in both { told.append(HiddenWorld.told(try await one.take(count), "nodeChanges")) }
            return told
        }
        try await world.block(0xB, as: .ana)
        let gone = [Self.pair, message].all("REMOVED")
        #expect(try await told(2) == [gone, gone])
        try await world.unblock(0xB, as: .ana)
        let there = gone + [Self.pair, message].all("ADDED")
        #expect(try await told(4) == [there, there])
        await world.live.shutdown()
    }
}

import Postgres
import TestSupport
import Testing

@testable import App

/// Conversations in which many write and read at once.
@Suite(.serialized) struct ConversationTests {
    private static func participants(_ users: [UUID]) -> String {
        users.map { "\"\(TypeID(.user, $0))\"" }.joined(separator: ", ")
    }

    private static func start(_ users: [UUID]) -> String {
        "mutation { startConversation(input: {participantIds: [\(participants(users))]}) { conversation { id } } }"
    }

    @Test func ofTheSamePeopleAtOnceIsOne() async throws {
        let world = try await World.make(writers: 8)
        let crowd = try await Crowd(4, in: world)
        let everyone = (0..<4).map { crowd.user($0) }
        let answers = try await concurrently(60) { number in
            var random = SeededGenerator(seed: UInt64(number))
            let others = everyone.filter { $0 != crowd.user(number) }.shuffled(using: &random)
            return try await crowd.ask(Self.start(others), as: number)
        }
        #expect(answers.codes == ["OK"])
        #expect(Set(answers.map { $0.string("startConversation", "conversation", "id") }).count == 1)
        #expect(try await world.number("select count(*) from conversations") == 3 + 1)
        #expect(try await world.number("select count(*) from conversation_members") == 7 + 4)
        #expect(try await world.deadlocks() == 0)
    }

    /// What each reads as unread is what a recount of the messages says, whatever was sent and read at once.
    @Test func unreadCountsStayExact() async throws {
        let (people, rounds) = (6, 240)
        let world = try await World.make(writers: 8)
        let crowd = try await Crowd(people, in: world)
        let everyone = (0..<people).map { crowd.user($0) }
        let started = try await crowd.ask(Self.start(Array(everyone.dropFirst())), as: 0)
        let id = try #require(started.string("startConversation", "conversation", "id"))
        let answers = try await concurrently(rounds) { number in
            let sent = try await crowd.ask(
                "mutation { sendMessage(input: {conversationId: \"\(id)\", text: \"\(number)\"}) { message { id } } }",
                as: number)
            guard let message = sent.string("sendMessage", "message", "id") else { return sent }
            switch number % 4 {
            case 0:
                let read = "markConversationRead(input: {conversationId: \"\(id)\", messageId: \"\(message)\"})"
                return try await crowd.ask("mutation { \(read) { conversation { id } } }", as: number / 4)
            case 1 where number % 8 == 1:
                return try await crowd.ask(
                    "mutation { deleteMessage(input: {id: \"\(message)\"}) { deletedId } }", as: number)
            default: return sent
            }
        }
        #expect(answers.codes == ["OK"])
        for person in 0..<people {
            let unread = try await crowd.ask(
                """
                { viewer { unreadMessageCount conversations { nodes { unreadCount messages(first: 100) { nodes { id } } \
                participants { lastReadMessageId } } } } }
                """, as: person)
            let recount = try await world.number(
                """
                select count(*) from messages m join conversation_members p using (conversation_id) \
                where p.user_id = \(crowd.user(person)) and m.author_id <> p.user_id \
                and m.number > coalesce((select number from messages r where r.id = p.last_read_message_id), 0)
                """)
            #expect(unread.int("viewer", "unreadMessageCount") == recount)
        }
        let messages = rounds - rounds / 8
        #expect(try await world.number("select count(*) from messages") == 4 + messages)
        #expect(
            try await world.number(
                """
                select count(*) from (select created_at < lag(created_at) over (partition by conversation_id \
                order by number) as wrong from messages where created_at > '2026-02-01') m where wrong
                """) == 0)
        #expect(try await world.deadlocks() == 0)
    }

    @Test func accountsGoInTheMiddle() async throws {
        let people = 8
        let world = try await World.make(writers: 8)
        let crowd = try await Crowd(people, in: world)
        let groups = [[0, 1, 2, 3], [2, 3, 4, 5], [4, 5, 6, 7], [0, 7]].map { $0.map { crowd.user($0) } }
        var ids: [String] = []
        for group in groups {
            let member = try #require((0..<people).first { crowd.user($0) == group[0] })
            let started = try await crowd.ask(Self.start(Array(group.dropFirst())), as: member)
            ids.append(try #require(started.string("startConversation", "conversation", "id")))
        }
        let conversations = ids
        async let deletions: Void = {
            let connection = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
            for number in stride(from: 0, to: people, by: 2) {
                try await connection.execute("delete from users where id = \(crowd.user(number))")
            }
            await connection.close()
        }()
        let answers = try await concurrently(400) { number in
            let id = conversations[number % conversations.count]
            let field =
                switch number % 10 {
                case 0: "startConversation(input: {participantIds: [\(Self.participants(groups[number % 4]))]})"
                case 1: "leaveConversation(input: {conversationId: \"\(id)\"})"
                default: "sendMessage(input: {conversationId: \"\(id)\", text: \"x\"})"
                }
            return try await crowd.ask("mutation { \(field) { clientMutationId } }", as: number / 3)
        }
        try await deletions
        #expect(answers.codes.isSubset(of: ["OK", "NOT_FOUND", "FORBIDDEN"]), "\(answers.codes)")
        #expect(answers.contains { $0.isData })
        #expect(try await world.number("select count(*) from conversation_members where user_id is null") >= 7)
        #expect(try await world.deadlocks() == 0)
    }
}

import Testing

@testable import App

/// In a conversation of several, two of whom blocked one another, each goes on without the other.
@Suite struct HiddenPeopleTests {
    @Test func areLeftOutOfListsAndCounts() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                insert into blocks (blocker_id, blocked_id) values ('\(worldUUID(0xC))', '\(worldUUID(0xA))');
                insert into conversations (id, people_key) values ('\(worldUUID(0x604))', '\(worldUUID(0x604))');
                insert into conversation_members (conversation_id, place, user_id)
                  select '\(worldUUID(0x604))', row_number() over (order by id), id from users where not is_anonymous;
                insert into messages (id, conversation_id, author_id, text)
                  select ('019b7600-0000-7000-8000-00000000071' || right(id::text, 1))::uuid, '\(worldUUID(0x604))', id,
                    username from users where not is_anonymous;
                """)
        let document = """
            { node(id: "\(worldID(.conversation, 0x604))") { ... on Conversation { unreadCount lastMessage { text } \
            participants { user { username } } messages { nodes { text } } } } }
            """
        for (person, others) in [(Person.ana, ["ben"]), (.mod, ["ben"]), (.ben, ["ana", "mod"])] {
            let answer = try await world.ask(document, as: person)
            #expect(answer.int("node", "unreadCount") == others.count, "\(person)")
            for name in ["ana", "ben", "mod"] {
                let isSeen = name == person.rawValue || others.contains(name)
                #expect(answer.text.contains("{\"text\":\"\(name)\"}") == isSeen, "\(person) \(name)")
                #expect(answer.text.contains("{\"username\":\"\(name)\"}") == isSeen, "\(person) \(name)")
            }
        }
        await world.shutdown()
    }

    @Test func messagesHaveARateOfTheirOwn() async throws {
        let world = try await World.make { $0.messages.quota = 3 }
        let send = """
            mutation { sendMessage(input: {conversationId: "\(worldID(.conversation, 0x601))", text: "x"}) \
            { userErrors { code } } }
            """
        for _ in 0..<3 { #expect(try await world.ask(send, as: .ana).isData) }
        let refused = try await world.ask(send, as: .ana)
        #expect(refused.code == "RATE_LIMITED")
        #expect(refused.retryAfter == 20)
        #expect(try await world.ask(send, as: .ben).isData)
        let like = "likeThought(input: {thoughtId: \"\(worldID(.thought, 0x201))\"})"
        #expect(try await world.ask("mutation { \(like) { userErrors { code } } }", as: .ana).isData)
        await world.shutdown()
    }
}

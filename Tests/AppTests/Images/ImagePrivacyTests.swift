import Postgres
import Testing

@testable import App

/// An image is seen by who sees what shows it.
@Suite struct ImagePrivacyTests {
    private func visible(_ image: String, in world: World, _ comment: Testing.Comment) async throws -> [Person] {
        var people: [Person] = []
        for person in Person.allCases {
            let answer = try await world.ask("{ node(id: \"\(image)\") { ... on Image { id url } } }", as: person)
            #expect(answer.code == nil, comment)
            if answer.string("node", "id") == image { people.append(person) }
        }
        return people
    }

    @Test func aDraftsImageIsItsAuthors() async throws {
        // No second of the signature's validity passes until the image is read.
        let clock = StoppedClock()
        let world = try await World.make().with { $0.now = { clock.now } }
        let answer = try await world.send(
            """
            createThought(input: {category: FUNNY, text: "x", status: DRAFT}, image: $file) \
            { thought { id coverUrl image { id url } } }
            """, SamplePNG().bytes, as: .ana)
        let thought = try #require(answer.string("createThought", "thought", "id"))
        let image = try #require(answer.string("createThought", "thought", "image", "id"))
        let signed = try #require(answer.string("createThought", "thought", "image", "url"))
        #expect(answer.string("createThought", "thought", "coverUrl") == signed)
        #expect(signed.hasPrefix("http://localhost:8080/images/\(image)?expires="))
        #expect(try await visible(image, in: world, "a draft's") == [.ana])
        try await world.execute(
            script: "insert into blocks (blocker_id, blocked_id) values ('\(worldUUID(0xA))', '\(worldUUID(0xB))')")
        #expect(try await visible(image, in: world, "a draft's, of who blocked ben") == [.ana])

        let permanent = String(try #require(signed.split(separator: "?").first))
        #expect(try await world.file(at: permanent) == nil)
        let file = try #require(try await world.file(at: signed))
        #expect((3600...7200).contains(try #require(file.validity)))
        #expect(try await world.environment.imageBytes(file) == SamplePNG().bytes)

        let publish = "mutation { publishThought(input: {id: \"\(thought)\"}) { thought { image { url } coverUrl } } }"
        let published = try await world.ask(publish, as: .ana)
        #expect(published.string("publishThought", "thought", "image", "url") == permanent)
        #expect(published.string("publishThought", "thought", "coverUrl") == permanent)
        #expect(try await visible(image, in: world, "published") == Person.allCases)
        #expect(try await world.file(at: permanent)?.validity == .some(nil))
        #expect(try await world.file(at: permanent)?.digest == file.digest)

        _ = try await world.ask(
            "mutation { unpublishThought(input: {id: \"\(thought)\"}) { thought { id } } }", as: .ana)
        #expect(try await world.file(at: permanent) == nil)
        #expect(try await visible(image, in: world, "a draft again") == [.ana])
        await world.shutdown()
    }

    @Test func aSignatureIsForOneImageAndAWhile() async throws {
        let clock = StoppedClock()
        let world = try await World.make().with { $0.now = { clock.now } }
        let (first, second) = (try await world.upload(as: .ana), try await world.upload(as: .ana))
        let answer = try await world.ask("{ node(id: \"\(first)\") { ... on Image { url } } }", as: .ana)
        let address = try #require(answer.string("node", "url"))
        #expect(try await world.file(at: address) != nil)
        #expect(try await world.file(at: address.replacing(first, with: second)) == nil)
        let later = address.replacing(/expires=(\d+)/) { "expires=\(Int($0.output.1)! + 1)" }
        #expect(try await world.file(at: later) == nil)
        #expect(try await world.file(at: address + "A") == nil)
        #expect(try await world.file(at: address.replacing("signature=", with: "signature=.")) == nil)
        let now = clock.now.microseconds
        for (seconds, isValid) in [(Int64(0), true), (3599, true), (7201, false)] {
            let then = world.with { $0.now = { Timestamp(microseconds: now + seconds * 1_000_000) } }
            #expect((try await then.file(at: address) != nil) == isValid)
        }
        let elsewhere = try await World.make()
        #expect(
            elsewhere.environment.imageSignature.query(for: worldUUID(1), now: 0)
                != world.environment.imageSignature.query(for: worldUUID(1), now: 0))
        await elsewhere.shutdown()
        await world.shutdown()
    }

    @Test func aMessagesImageIsSeenInItsConversation() async throws {
        let world = try await World.make()
        let image = try await world.upload(as: .ana)
        #expect(try await visible(image, in: world, "new") == [.ana])
        let message = worldID(.message, 0x7FF)
        let sent = try await world.ask(
            """
            mutation { sendMessage(input: {id: "\(message)", conversationId: "\(worldID(.conversation, 0x601))", \
            text: "", imageId: "\(image)"}) { message { image { url } } } }
            """, as: .ana)
        let address = try #require(sent.string("sendMessage", "message", "image", "url"))
        #expect(try await world.file(at: address) != nil)
        #expect(try await world.file(at: String(address.prefix { $0 != "?" })) == nil)
        #expect(try await visible(image, in: world, "sent to ben") == [.ana, .ben])
        let block = "insert into blocks (blocker_id, blocked_id) values"
        for (blocker, blocked) in [(worldUUID(0xA), worldUUID(0xB)), (worldUUID(0xB), worldUUID(0xA))] {
            try await world.execute(script: "\(block) ('\(blocker)', '\(blocked)')")
            #expect(try await visible(image, in: world, "blocked") == [.ana])
            try await world.execute(script: "delete from blocks")
        }
        _ = try await world.ask(
            "mutation { leaveConversation(input: {conversationId: \"\(worldID(.conversation, 0x601))\"}) { clientMutationId } }",
            as: .ben)
        #expect(try await visible(image, in: world, "ben has left") == [.ana])
        await world.shutdown()
    }

    @Test func whatEveryoneSeesIsPublic() async throws {
        for (about, script) in [
            ("an event", "update events set image_id = '\(worldUUID(0x501))' where id = '\(worldUUID(0x302))'"),
            ("an avatar", "update users set avatar_id = '\(worldUUID(0x501))' where id = '\(worldUUID(0xA))'"),
            ("a thought", "update thoughts set image_id = '\(worldUUID(0x501))' where id = '\(worldUUID(0x201))'"),
        ] {
            let world = try await World.make()
            #expect(try await visible(worldID(.image, 0x501), in: world, "unused") == [.ana])
            try await world.execute(script: script)
            #expect(try await visible(worldID(.image, 0x501), in: world, "\(about)") == Person.allCases)
            await world.shutdown()
        }
    }

    /// Should a check ever be forgotten: what shows an image of somebody else's makes it nobody's to see.
    @Test func onlyItsOwnersThingsShowIt() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                update events set image_id = '\(worldUUID(0x501))' where id = '\(worldUUID(0x301))';
                update users set avatar_id = '\(worldUUID(0x501))' where id = '\(worldUUID(0xB))';
                update thoughts set image_id = '\(worldUUID(0x501))' where id = '\(worldUUID(0x202))';
                """)
        #expect(try await visible(worldID(.image, 0x501), in: world, "ben's") == [.ana])
        await world.shutdown()
    }
}

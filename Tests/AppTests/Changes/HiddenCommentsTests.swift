import GraphQL
import Postgres
import Testing

@testable import App

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

    @Test func onAThoughtThatIsDeleted() async throws {
        let world = try await HiddenWorld.make()
        let comments = try await world.comments(as: .nobody)
        try await world.mutate("deleteThought(input: {id: \"\(HiddenWorld.anas[0])\"})", as: .ana)
        #expect(try await told(comments, 2) == [bens, anas].all("REMOVED"))
        await world.live.shutdown()
    }
}

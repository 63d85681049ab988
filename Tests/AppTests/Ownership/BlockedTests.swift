import Testing

@testable import App

/// Ana and ben, one of whom blocked the other: each finds nothing of the other's to act on. The statements' own checks
/// and the policies refuse alone, each.
@Suite struct BlockedTests {
    /// What somebody does to another's things.
    private static func mutations(on owner: Person) -> [String] {
        let (thought, event, comment) =
            owner == .ana ? (0x201, 0x302, 0x402) : (0x202, 0x301, 0x401) as (UInt64, UInt64, UInt64)
        let ofThought = "thoughtId: \"\(worldID(.thought, thought))\""
        let ofEvent = "eventId: \"\(worldID(.event, event))\""
        let ids = [worldID(.thought, thought), worldID(.event, event), worldID(.comment, comment)].map { "\"\($0)\"" }
        let user = owner.viewer.map { "\"\(TypeID(.user, $0.userID))\"" } ?? ""
        var mutations: [String] = [
            "rateThought(input: {\(ofThought), stars: 3})", "updateThought(input: {id: \(ids[0]), text: \"x\"})",
            "updateEvent(input: {id: \(ids[1]), name: \"x\"})", "updateComment(input: {id: \(ids[2]), text: \"x\"})",
            "deleteComment(input: {id: \(ids[2])})",
            "deleteImage(input: {id: \"\(worldID(.image, owner == .ana ? 0x501 : 0x502))\"})",
        ]
        for name in ["likeThought", "unlikeThought", "saveThought", "unsaveThought", "unrateThought", "shareThought"] {
            mutations.append("\(name)(input: {\(ofThought)})")
        }
        for name in ["deleteThought", "publishThought", "unpublishThought"] {
            mutations.append("\(name)(input: {id: \(ids[0])})")
        }
        for name in ["deleteEvent", "cancelEvent"] { mutations.append("\(name)(input: {id: \(ids[1])})") }
        for name in ["rsvp", "cancelRsvp"] { mutations.append("\(name)(input: {\(ofEvent)})") }
        for id in ids.prefix(2) { mutations.append("addComment(input: {subjectId: \(id), text: \"x\"})") }
        for id in ids + [user] { mutations.append("reportContent(input: {subjectId: \(id), reason: SPAM})") }
        return mutations
    }

    /// Those with another's object to act on: what is not here acts on what is one's own, or on sessions, or unblocks.
    @Test func everyMutationOnAnothersThingsIsTried() {
        let tried = Set(Self.mutations(on: .ana).map { String($0.prefix { $0 != "(" }) })
        let others = Set(OwnershipMatrix.cases.filter { $0.expected[.ana] != $0.expected[.ben] }.map(\.mutation))
        let exempt: Set = [
            "createThought", "createEvent", "blockUser", "resolveReport", "unregisterPushDevice",
            // A name and an address are taken, whoever has them.
            "updateProfile", "changeEmail", "revokeSession",
            // A conversation's participants find each other in it; what a block changes there has tests of its own.
            "startConversation", "sendMessage", "updateMessage", "deleteMessage", "markConversationRead",
            "leaveConversation",
        ]
        #expect(others.subtracting(tried).subtracting(exempt) == [])
    }

    @Test(arguments: [Person.ana, .ben], [true, false])
    func findsNothingOfTheOthers(blocker: Person, arePoliciesOn: Bool) async throws {
        let world = try await World.make()
        let blocked: Person = blocker == .ana ? .ben : .ana
        let (from, to) = (try #require(blocker.viewer).userID, try #require(blocked.viewer).userID)
        try await world.execute(
            script: """
                insert into blocks (blocker_id, blocked_id) values ('\(from)', '\(to)');
                \(arePoliciesOn ? "" : Policies.off)
                """)
        let before = try await Truth(of: world)
        for (viewer, owner) in [(blocker, blocked), (blocked, blocker)] {
            for mutation in Self.mutations(on: owner) {
                let answer = try await world.ask("mutation { \(mutation) { userErrors { code } } }", as: viewer)
                #expect(answer.code == "NOT_FOUND", "\(viewer): \(mutation): \(answer.text)")
            }
        }
        #expect(try await Truth(of: world) == before)
        // Everyone else goes on as before.
        let like = Self.mutations(on: .ana)[0]
        #expect(try await world.ask("mutation { \(like) { userErrors { code } } }", as: .mod).isData)
        await world.shutdown()
    }

    /// A moderator can be blocked by nobody's way out of moderation.
    @Test func aModeratorSeesWhoBlocksModerators() async throws {
        let world = try await World.make()
        try await world.execute(
            script: "insert into blocks (blocker_id, blocked_id) values ('\(worldUUID(0xA))', '\(worldUUID(0xC))')")
        let thought = "thought(id: \"\(worldID(.thought, 0x201))\") { id }"
        #expect(try await world.ask("{ \(thought) }", as: .mod).string("thought", "id") != nil)
        let delete = "deleteThought(input: {id: \"\(worldID(.thought, 0x201))\"})"
        #expect(try await world.ask("mutation { \(delete) { deletedId } }", as: .mod).isData)
        await world.shutdown()
    }
}

import Testing

@testable import App

/// A viewer from whom more than a hundred accounts are hidden: the policies look each author up instead of reading a
/// list.
@Suite struct ManyHiddenPeopleTests {
    private static let people = """
        insert into users (id, username, display_name)
        select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'hidden' || n, 'Hidden'
        from generate_series(1, 150) n;
        """
    private static let thought = worldID(.thought, 0x202)

    @Test(arguments: [true, false])
    func showNothing(isViewerTheBlocker: Bool) async throws {
        let world = try await World.make()
        let read = "{ thought(id: \"\(Self.thought)\") { id } }"
        #expect(try await world.ask(read, as: .ana).text.contains(Self.thought))
        let columns = isViewerTheBlocker ? "blocker_id, blocked_id" : "blocked_id, blocker_id"
        try await world.execute(
            script: Self.people + """
                insert into blocks (\(columns)) select '\(worldUUID(0xA))', id from users
                where username like 'hidden%' or id = '\(worldUUID(0xB))';
                """)

        #expect(try await world.number("select people from hidden_people where viewer_id = \(worldUUID(0xA))") == 151)
        #expect(!(try await world.ask(read, as: .ana).text.contains(Self.thought)))
        #expect(!(try await world.ask("{ thoughts { nodes { id } } }", as: .ana).text.contains(Self.thought)))
        let like = "mutation { likeThought(input: {thoughtId: \"\(Self.thought)\"}) { thought { id } } }"
        #expect(try await world.ask(like, as: .ana).text.contains("NOT_FOUND"))
        // Everybody else still sees it.
        #expect(try await world.ask(read, as: .mod).text.contains(Self.thought))
        await world.shutdown()
    }
}

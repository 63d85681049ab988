import Testing

@testable import App

/// `addComment` answers with the values that its insert writes, and reads no row back.
@Suite struct AddedCommentTests {
    @Test(arguments: [worldID(.thought, 0x201), worldID(.event, 0x301)])
    func theAnswerIsTheStoredComment(subject: String) async throws {
        let world = try await World.make()
        let id = worldID(.comment, 0x9F1)
        let fields = "id text createdAt editedAt author { id username displayName } subject { id }"
        let input = "{id: \"\(id)\", subjectId: \"\(subject)\", text: \"Ünd\"}"
        let added = try await world.ask(
            "mutation { addComment(input: \(input)) { comment { \(fields) } } }", as: .ana)
        let read = try await world.ask("{ node(id: \"\(id)\") { ... on Comment { \(fields) } } }", as: .ana)
        #expect(read.string("node", "id") == id)
        #expect(added["addComment", "comment"] == read["node"])
        await world.shutdown()
    }
}

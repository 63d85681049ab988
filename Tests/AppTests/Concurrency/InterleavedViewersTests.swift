import Postgres
import Testing

@testable import App

/// Everyone's reads share pipelined connections: nobody may inherit the viewer of the request before.
@Suite struct InterleavedViewersTests {
    @Test func onOneConnectionWithErrorsInBetween() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                insert into thoughts (id, author_id, category, text, status) values
                  ('\(worldUUID(0x205))', '\(worldUUID(0xB))', 'FUNNY', 'Ben''s draft.', 'DRAFT')
                """)
        var configuration = world.environment.pools.read.configuration
        configuration.connections = 1
        let read = Pool(configuration)
        let shared = world.with { $0.pools.read = read }
        let people: [Person] = [.ana, .ben, .nobody, .zoe, .mod]
        var expected: [Person: String] = [:]
        for person in people { expected[person] = try await world.ask(Self.query, as: person).text }
        #expect(Set(expected.values).count == people.count)
        #expect(expected[.ana]?.contains("Ana's draft.") == true && expected[.ana]?.contains("Ben's draft.") == false)
        #expect(expected[.ben]?.contains("Ben's draft.") == true && expected[.ben]?.contains("Ana's draft.") == false)
        #expect(expected[.nobody]?.contains("draft.") == false)
        let answers = try await concurrently(600) { number in
            // Of zoe's requests some fail in the database, after her viewer has been set.
            if number % 7 == 3 {
                let settings = shared.context(as: .zoe).settings
                let error = await #expect(throws: PostgresError.self) {
                    try await read.run(Failing(), settings: settings)
                }
                #expect(error?.sqlstate == "22012")
            }
            return try await shared.ask(Self.query, as: people[number % people.count]).text
        }
        for (number, answer) in answers.enumerated() { #expect(answer == expected[people[number % people.count]]) }
        await read.shutdown()
        await world.shutdown()
    }

    private static let query = """
        { viewer { user { username } email thoughts(status: DRAFT) { nodes { text } } sessions { id } }
          drafts: nodes(ids: ["\(worldID(.thought, 0x204))", "\(worldID(.thought, 0x205))"]) { ... on Thought { text } }
          feed(first: 10) { nodes {
            ... on Thought { id text viewerHasLiked viewerCanEdit viewerCanDelete saveCount }
            ... on Event { id viewerRsvp viewerCanEdit }
          } } }
        """
}

private struct Failing: Statement {
    var sql: SQL { "select 1 / (length(viewer_id()::text) - 36)" }
    func decode(_ row: Row) -> Int32 { row.int32(0) }
}

import Testing

@testable import GraphQL

@Suite struct UniqueDirectivesPerLocationInSDLTests {
    private func errors(_ text: String, extending schema: String? = nil) throws -> [String] {
        try sdlErrors(UniqueDirectivesPerLocationInSDL.self, text, extending: schema)
    }

    private let definitions = "directive @a on OBJECT | SCHEMA | FIELD_DEFINITION directive @r repeatable on OBJECT\n"

    @Test func repeatsWhatIsRepeatable() throws {
        #expect(try errors(definitions + "type T @a @r @r { x: Int @a y: Int @a } type U @a") == [])
    }

    @Test func countsATypeAndItsExtensionsAsOne() throws {
        #expect(
            try errors(definitions + "type T @a { x: Int @a @a }\nextend type T @a") == [
                "The directive \"@a\" can only be used once at this location. (2:20, 2:23)",
                "The directive \"@a\" can only be used once at this location. (2:8, 3:15)",
            ])
    }

    @Test func countsTheSchemaAsOne() throws {
        #expect(
            try errors(definitions + "schema @a { query: Q }\nextend schema @a") == [
                "The directive \"@a\" can only be used once at this location. (2:8, 3:15)"
            ])
    }
}

import Testing

@testable import GraphQL

@Suite struct UniqueDirectiveNamesTests {
    private func errors(_ text: String, extending schema: String? = nil) throws -> [String] {
        try sdlErrors(UniqueDirectiveNames.self, text, extending: schema)
    }

    @Test func aDirectiveIsDefinedOnce() throws {
        #expect(try errors("directive @a on FIELD directive @skip on FIELD") == [])
        #expect(
            try errors("directive @a on FIELD\ndirective @a on QUERY") == [
                "There can be only one directive named \"@a\". (1:12, 2:12)"
            ])
    }

    @Test func anExtensionRedefinesNone() throws {
        #expect(
            try errors("directive @skip on FIELD", extending: "type Query { a: Int }") == [
                "Directive \"@skip\" already exists in the schema. It cannot be redefined. (1:12)"
            ])
    }
}

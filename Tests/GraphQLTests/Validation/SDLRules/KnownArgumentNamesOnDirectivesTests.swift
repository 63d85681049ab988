import Testing

@testable import GraphQL

@Suite struct KnownArgumentNamesOnDirectivesTests {
    private func errors(_ text: String, extending schema: String? = nil) throws -> [String] {
        try sdlErrors(KnownArgumentNamesOnDirectives.self, text, extending: schema)
    }

    @Test func reportsUnknownArguments() throws {
        #expect(try errors("type A { a: Int @deprecated(reason: \"\") b: Int @who(x: 1) }") == [])
        #expect(
            try errors("type A { a: Int @deprecated(reasn: \"\", x: 1) }") == [
                "Unknown argument \"reasn\" on directive \"@deprecated\". Did you mean \"reason\"? (1:29)",
                "Unknown argument \"x\" on directive \"@deprecated\". (1:40)",
            ])
    }

    @Test func theDocumentsOwnDefinitionComesFirst() throws {
        #expect(try errors("directive @deprecated(x: Int) on ENUM enum E @deprecated(x: 1)") == [])
    }
}

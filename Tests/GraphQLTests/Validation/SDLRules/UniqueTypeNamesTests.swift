import Testing

@testable import GraphQL

@Suite struct UniqueTypeNamesTests {
    private func errors(_ text: String, extending schema: String? = nil) throws -> [String] {
        try sdlErrors(UniqueTypeNames.self, text, extending: schema)
    }

    @Test func aNameIsDefinedOnce() throws {
        #expect(try errors("type A enum B extend type A @x") == [])
        #expect(
            try errors("type A\nscalar A\ninput A") == [
                "There can be only one type named \"A\". (1:6, 2:8)",
                "There can be only one type named \"A\". (1:6, 3:7)",
            ])
    }

    @Test func anExtensionDefinesNoTypeAnew() throws {
        #expect(
            try errors("union A = B", extending: "type A { a: Int }") == [
                "Type \"A\" already exists in the schema. It cannot also be defined in this type definition. (1:7)"
            ])
    }
}

import Testing

@testable import GraphQL

@Suite struct UniqueOperationTypesTests {
    private func errors(_ text: String, extending schema: String? = nil) throws -> [String] {
        try sdlErrors(UniqueOperationTypes.self, text, extending: schema)
    }

    @Test func eachOperationHasOneRoot() throws {
        #expect(try errors("schema { query: A mutation: B } extend schema { subscription: C }") == [])
        #expect(
            try errors("schema { query: A mutation: B }\nextend schema { mutation: C query: C }") == [
                "There can be only one mutation type in schema. (1:19, 2:17)",
                "There can be only one query type in schema. (1:10, 2:29)",
            ])
    }

    @Test func anExtensionKeepsTheRoots() throws {
        #expect(
            try errors("extend schema { query: B mutation: M }", extending: "type Query { a: Int }") == [
                "Type for query already defined in the schema. It cannot be redefined. (1:17)"
            ])
    }
}

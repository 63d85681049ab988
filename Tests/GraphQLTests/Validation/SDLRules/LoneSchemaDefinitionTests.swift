import Testing

@testable import GraphQL

@Suite struct LoneSchemaDefinitionTests {
    private func errors(_ text: String, extending schema: String? = nil) throws -> [String] {
        try sdlErrors(LoneSchemaDefinition.self, text, extending: schema)
    }

    @Test func aDocumentMayDefineOne() throws {
        #expect(try errors("schema { query: Q } type Q { a: Int } extend schema { mutation: M }") == [])
    }

    @Test func aSecondIsRefused() throws {
        #expect(
            try errors("schema { query: Q }\nschema { query: Q }\nschema { query: Q }") == [
                "Must provide only one schema definition. (2:1)", "Must provide only one schema definition. (3:1)",
            ])
    }

    @Test func anExtendedSchemaHasOneAlready() throws {
        #expect(
            try errors("schema { query: Q }", extending: "type Query { a: Int }") == [
                "Cannot define a new schema within a schema extension. (1:1)"
            ])
        #expect(try errors("schema { query: Q }", extending: "type Q { a: Int }") == [])
    }
}

import Testing

@testable import GraphQL

@Suite struct KnownTypeNamesInSDLTests {
    private func errors(_ text: String, extending schema: String? = nil) throws -> [String] {
        try sdlErrors(KnownTypeNamesInSDL.self, text, extending: schema)
    }

    @Test func knowsTheDocumentTheSchemaAndWhatIsBuiltIn() throws {
        #expect(
            try errors(
                "type A implements I { b: [B!] c(d: ID): __Type } union U = A interface I",
                extending: "scalar B") == [])
    }

    @Test func reportsEveryReference() throws {
        #expect(
            try errors("type Thing implements X {\n a(b: Strin): [Y!]! }\nunion U = Thin\nschema { query: Q }") == [
                "Unknown type \"X\". Did you mean \"U\"? (1:23)",
                "Unknown type \"Strin\". Did you mean \"String\" or \"Thing\"? (2:7)",
                "Unknown type \"Y\". Did you mean \"U\"? (2:16)",
                "Unknown type \"Thin\". Did you mean \"Thing\"? (3:11)",
                "Unknown type \"Q\". Did you mean \"U\"? (4:17)",
            ])
    }
}

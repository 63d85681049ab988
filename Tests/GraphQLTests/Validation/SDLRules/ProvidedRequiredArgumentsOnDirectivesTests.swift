import Testing

@testable import GraphQL

@Suite struct ProvidedRequiredArgumentsOnDirectivesTests {
    private func errors(_ text: String, extending schema: String? = nil) throws -> [String] {
        try sdlErrors(ProvidedRequiredArgumentsOnDirectives.self, text, extending: schema)
    }

    @Test func requiresArgumentsWithoutDefault() throws {
        let definition = "directive @d(a: [Int!]!, b: Int! = 1, c: Int) on OBJECT\n"
        #expect(try errors(definition + "type A @d(a: [])") == [])
        #expect(
            try errors(definition + "type A @d(c: 1)\nscalar B @specifiedBy") == [
                "Directive \"@d\" argument \"a\" of type \"[Int!]!\" is required, but it was not provided. (2:8)",
                "Directive \"@specifiedBy\" argument \"url\" of type \"String!\" is required, "
                    + "but it was not provided. (3:10)",
            ])
    }

    @Test func knowsTheExtendedSchemasDirectives() throws {
        #expect(
            try errors("extend type Query @d", extending: "type Query { a: Int } directive @d(a: Int!) on OBJECT") == [
                "Directive \"@d\" argument \"a\" of type \"Int!\" is required, but it was not provided. (1:19)"
            ])
    }
}

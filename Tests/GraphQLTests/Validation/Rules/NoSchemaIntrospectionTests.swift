import Testing

@testable import GraphQL

@Suite struct NoSchemaIntrospectionTests {
    @Test func theTypeNameIsNoSecret() throws {
        #expect(try errors(NoSchemaIntrospection(), "{ __typename dog { __typename name } }") == [])
    }

    @Test func theSchemaIs() throws {
        let start = "GraphQL introspection has been disabled, but the requested query contained the field"
        #expect(
            try errors([NoSchemaIntrospection()], "{ __schema { description types { name } } dog { name } }") == [
                "\(start) \"__schema\". (1:3)", "\(start) \"types\". (1:26)",
            ])
    }

    @Test func besideTheSpecifiedRules() throws {
        let found = try errors(named: .specified + [.noSchemaIntrospection], "{ __type(name: \"Dog\") { name nam } }")
        #expect(found.count == 2 && found[0].hasSuffix("\"__type\". (1:3)") && found[1].hasPrefix("Cannot query"))
    }
}

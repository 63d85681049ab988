import Testing

@testable import GraphQL

@Suite struct KnownOperationTypesTests {
    private func schema() throws -> Schema { try buildSchema(parse(Source("type Query { hello: String }"))) }

    @Test func everySchemaHasQueries() throws {
        #expect(try errors(KnownOperationTypes(), "query helloQuery { hello }", schema: schema()) == [])
    }

    @Test func anOperationNeedsARootTypeOfItsKind() throws {
        let document = "mutation goodbyeMutation { goodbye } subscription { a }"
        #expect(
            try errors(KnownOperationTypes(), document, schema: schema()) == [
                "The mutation operation is not supported by the schema. (1:1)",
                "The subscription operation is not supported by the schema. (1:38)",
            ])
    }
}

import Testing

@testable import GraphQL

@Suite struct ExecutableDefinitionsTests {
    @Test func operationsAndFragmentsAreExecutable() throws {
        #expect(try errors(ExecutableDefinitions(), "{ dog { ...F } } fragment F on Dog { name }") == [])
    }

    @Test func definitionsOfTypesAreNot() throws {
        let document = """
            query getDogName { dog { name color } }
            extend type Dog { color: String }
            directive @d on FIELD
            schema { query: Query }
            """
        #expect(
            try errors(ExecutableDefinitions(), document) == [
                "The \"Dog\" definition is not executable. (2:1)",
                "The \"d\" definition is not executable. (3:1)",
                "The schema definition is not executable. (4:1)",
            ])
    }
}

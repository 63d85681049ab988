import Testing

@testable import GraphQL

@Suite struct KnownTypeNamesTests {
    @Test(arguments: [
        "fragment correctType on Dog { name }", "fragment inlineFragment on Dog { ... on Dog { name } }",
        "fragment inlineFragment2 on Dog { ... @include(if: true) { name } }",
        "query ($a: [FindDogInput!]!) { dog { name } }",
    ])
    func definedTypes(document: String) throws {
        #expect(try errors(KnownTypeNames(), document) == [])
    }

    @Test func undefinedTypes() throws {
        let document = """
            query ($a: [Dogg!]) { dog { name } }
            fragment notOnExistingType on NotInSchema { name }
            fragment inlineNotExistingType on Dog { ... on NotInSchema { name } }
            """
        #expect(
            try errors(KnownTypeNames(), document) == [
                "Unknown type \"Dogg\". Did you mean \"Dog\"? (1:13)",
                "Unknown type \"NotInSchema\". Did you mean \"__Schema\"? (2:31)",
                "Unknown type \"NotInSchema\". Did you mean \"__Schema\"? (3:48)",
            ])
    }
}

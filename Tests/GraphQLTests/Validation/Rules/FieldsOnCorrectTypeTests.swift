import Testing

@testable import GraphQL

@Suite struct FieldsOnCorrectTypeTests {
    @Test(arguments: [
        "fragment interfaceFieldSelection on Pet { name }",
        "fragment inDirectFieldSelectionOnUnion on CatOrDog { __typename ... on Pet { name } ... on "
            + "Dog { barkVolume } }",
        "{ __schema { queryType { name } } __type(name: \"Dog\") { name } __typename }",
        "fragment onUnknownType on Unknown { anything { at all } }",
    ])
    func definedFields(document: String) throws {
        #expect(try errors(FieldsOnCorrectType(), document) == [])
    }

    @Test func undefinedFieldsAreSuggestedByTheirSpelling() throws {
        #expect(
            try errors(FieldsOnCorrectType(), "fragment fieldNotDefined on Dog { meowVolume }") == [
                "Cannot query field \"meowVolume\" on type \"Dog\". Did you mean \"barkVolume\"? (1:35)"
            ])
        #expect(
            try errors(FieldsOnCorrectType(), "fragment aliased on Dog { barkVolume: kawVolume }") == [
                "Cannot query field \"kawVolume\" on type \"Dog\". Did you mean \"barkVolume\"? (1:27)"
            ])
    }

    @Test func fieldsOfImplementersNeedAFragment() throws {
        #expect(
            try errors(FieldsOnCorrectType(), "fragment f on Pet { nickname }") == [
                "Cannot query field \"nickname\" on type \"Pet\". "
                    + "Did you mean to use an inline fragment on \"Cat\" or \"Dog\"? (1:21)"
            ])
        #expect(
            try errors(FieldsOnCorrectType(), "fragment directFieldSelectionOnUnion on CatOrDog { name barkVolume }")
                == [
                    "Cannot query field \"name\" on type \"CatOrDog\". "
                        + "Did you mean to use an inline fragment on \"Pet\", \"Cat\", or \"Dog\"? (1:52)",
                    "Cannot query field \"barkVolume\" on type \"CatOrDog\". "
                        + "Did you mean to use an inline fragment on \"Dog\"? (1:57)",
                ])
    }

    @Test func introspectionStartsAtTheQueryRootOnly() throws {
        #expect(
            try errors(FieldsOnCorrectType(), "{ dog { __schema { queryType { name } } } }") == [
                "Cannot query field \"__schema\" on type \"Dog\". (1:9)"
            ])
    }

    @Test func suggestionsCanBeSwitchedOff() throws {
        let options = ValidationOptions(suggestions: false)
        #expect(
            try errors(FieldsOnCorrectType(), "{ dog { barkVolum } pet { nickname } }", options: options) == [
                "Cannot query field \"barkVolum\" on type \"Dog\". (1:9)",
                "Cannot query field \"nickname\" on type \"Pet\". (1:27)",
            ])
    }
}

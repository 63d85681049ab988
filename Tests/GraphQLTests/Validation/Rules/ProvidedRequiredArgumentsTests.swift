import Testing

@testable import GraphQL

@Suite struct ProvidedRequiredArgumentsTests {
    @Test(arguments: [
        "fragment goodBooleanArg on Arguments { booleanArgField(booleanArg: true) }",
        "fragment goodNonNullArg on Arguments { nonNullBooleanArgField(nonNullBooleanArg: true) }",
        "fragment goodBooleanArgDefault on Arguments { booleanArgField }",
        "fragment goodDefault on Arguments { optionalNonNullBooleanArgField }",
    ])
    func givenWhereRequired(document: String) throws {
        #expect(try errors(ProvidedRequiredArguments(), document) == [])
    }

    @Test func missing() throws {
        #expect(
            try errors(ProvidedRequiredArguments(), "fragment f on Arguments { nonNullBooleanArgField }") == [
                "Field \"nonNullBooleanArgField\" argument \"nonNullBooleanArg\" of type \"Boolean!\" is required, "
                    + "but it was not provided. (1:27)"
            ])
        #expect(
            try errors(ProvidedRequiredArguments(), "{ dog @skip { name } }") == [
                "Directive \"@skip\" argument \"if\" of type \"Boolean!\" is required, but it was not provided. (1:7)"
            ])
    }

    /// A null is another rule's: the value is of a wrong type.
    @Test func anExplicitNullIsNoValue() throws {
        let document = "fragment f on Arguments { nonNullBooleanArgField(nonNullBooleanArg: null) }"
        #expect(
            try errors([ProvidedRequiredArguments(), ValuesOfCorrectType()], document) == [
                "Expected value of type \"Boolean!\", found null. (1:69)"
            ])
    }
}

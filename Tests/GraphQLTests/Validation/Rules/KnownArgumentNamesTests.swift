import Testing

@testable import GraphQL

@Suite struct KnownArgumentNamesTests {
    @Test(arguments: [
        "fragment argOnRequiredArg on Dog { doesKnowCommand(dogCommand: SIT) }",
        "fragment argOnOptional on Dog { isHouseTrained(atOtherHomes: true) @include(if: true) }",
        "fragment multipleArgs on Arguments { multipleRequirements(x: 1, y: 2) }",
        "fragment multipleArgsReverseOrder on Arguments { multipleRequirements(y: 2, x: 1) }",
        "{ unknown(argument: 1) @unknown(argument: 2) }",
        "fragment f on Dog { name @unknown(argument: 2) }",
    ])
    func definedArguments(document: String) throws {
        #expect(try errors(KnownArgumentNames(), document) == [])
    }

    @Test func undefinedOnAField() throws {
        #expect(
            try errors(KnownArgumentNames(), "fragment f on Dog { doesKnowCommand(command: CLEAN_UP_HOUSE) }") == [
                "Unknown argument \"command\" on field \"Dog.doesKnowCommand\". Did you mean \"dogCommand\"? (1:37)"
            ])
    }

    @Test func undefinedOnADirective() throws {
        #expect(
            try errors(KnownArgumentNames(), "fragment f on Dog { isHouseTrained @include(unless: false) }") == [
                "Unknown argument \"unless\" on directive \"@include\". (1:45)"
            ])
    }
}

import Testing

@testable import GraphQL

@Suite struct NoUndefinedVariablesTests {
    private static let fragments = """

        fragment outer on Dog { ...isHouseTrainedFragment }
        fragment isHouseTrainedFragment on Dog { isHouseTrained(atOtherHomes: $atOtherHomes) }
        """

    @Test(arguments: [
        "query q($atOtherHomes: Boolean) { dog { isHouseTrained(atOtherHomes: $atOtherHomes) } }",
        "query q($atOtherHomes: Boolean) { dog { ...isHouseTrainedFragment } }" + fragments,
        "query a($atOtherHomes: Boolean) { dog { ...outer } } query b($atOtherHomes: Boolean) { dog { ...outer } }"
            + fragments,
    ])
    func defined(document: String) throws {
        #expect(try errors(NoUndefinedVariables(), document) == [])
    }

    @Test func undefined() throws {
        let document = "query q { dog { isHouseTrained(atOtherHomes: $atOtherHomes) } }"
        #expect(
            try errors(NoUndefinedVariables(), document) == [
                "Variable \"$atOtherHomes\" is not defined by operation \"q\". (1:46, 1:1)"
            ])
        #expect(
            try errors(NoUndefinedVariables(), "{ dog { isHouseTrained(atOtherHomes: $a) } }") == [
                "Variable \"$a\" is not defined. (1:38, 1:1)"
            ])
    }

    @Test func undefinedWithinFragments() throws {
        #expect(
            try errors(NoUndefinedVariables(), "query q { dog { ...isHouseTrainedFragment } }" + Self.fragments) == [
                "Variable \"$atOtherHomes\" is not defined by operation \"q\". (3:71, 1:1)"
            ])
        #expect(
            try errors(NoUndefinedVariables(), "query q { dog { ...outer } }" + Self.fragments) == [
                "Variable \"$atOtherHomes\" is not defined by operation \"q\". (3:71, 1:1)"
            ])
    }

    @Test func definedInOneOfTwoOperations() throws {
        let document =
            "query one($atOtherHomes: Boolean) { dog { ...outer } } query two { dog { ...outer } }" + Self.fragments
        #expect(
            try errors(NoUndefinedVariables(), document) == [
                "Variable \"$atOtherHomes\" is not defined by operation \"two\". (3:71, 1:56)"
            ])
    }
}

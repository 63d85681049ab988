import Testing

@testable import GraphQL

@Suite struct NoUnusedVariablesTests {
    private static let fragment = """

        fragment F on Dog { isHouseTrained(atOtherHomes: $atOtherHomes) }
        """

    @Test func usedInAFragment() throws {
        #expect(
            try errors(NoUnusedVariables(), "query q($atOtherHomes: Boolean) { dog { ...F } }" + Self.fragment) == [])
    }

    @Test func usedInADirective() throws {
        #expect(try errors(NoUnusedVariables(), "query q($a: Boolean!) { dog @skip(if: $a) { name } }") == [])
    }

    @Test func unused() throws {
        #expect(
            try errors(NoUnusedVariables(), "query variableUnused($atOtherHomes: Boolean) { dog { isHouseTrained } }")
                == [
                    "Variable \"$atOtherHomes\" is never used in operation \"variableUnused\". (1:22)"
                ])
        let document = "query ($atOtherHomes: Boolean) { dog { ...F } } fragment F on Dog { isHouseTrained }"
        #expect(try errors(NoUnusedVariables(), document) == ["Variable \"$atOtherHomes\" is never used. (1:8)"])
    }

    @Test func oneTooMany() throws {
        let document = """
            query queryWithUsedVar($atOtherHomes: Boolean) { dog { ...F } }
            query queryWithExtraVar($atOtherHomes: Boolean, $extra: Int) { dog { ...F } }
            """
        #expect(
            try errors(NoUnusedVariables(), document + Self.fragment) == [
                "Variable \"$extra\" is never used in operation \"queryWithExtraVar\". (2:49)"
            ])
    }
}

import Testing

@testable import GraphQL

@Suite struct UniqueVariableNamesTests {
    @Test func theSameNameInTwoOperations() throws {
        let document = """
            query A($atOtherHomes: Boolean) { ...F }
            query B($atOtherHomes: Boolean) { ...F }
            fragment F on Query { dog { isHouseTrained(atOtherHomes: $atOtherHomes) } }
            """
        #expect(try errors(UniqueVariableNames(), document) == [])
    }

    @Test func twiceInOne() throws {
        #expect(
            try errors(
                UniqueVariableNames(), "query q($atOtherHomes: Boolean, $atOtherHomes: Boolean) { dog { name } }")
                == [
                    "There can be only one variable named \"$atOtherHomes\". (1:10, 1:34)"
                ])
    }
}

import Testing

@testable import GraphQL

@Suite struct UniqueDirectivesPerLocationTests {
    @Test func oncePerPlaceUnlessRepeatable() throws {
        let document = """
            query ($foo: Boolean = true, $bar: Boolean = false) {
              field @skip(if: $foo) { subfieldA @label(text: "a") @label(text: "b") }
              field @skip(if: $bar) { subfieldB @unknown @unknown }
            }
            """
        #expect(try errors(UniqueDirectivesPerLocation(), document) == [])
    }

    @Test func twice() throws {
        let document = "query ($foo: Boolean = true, $bar: Boolean = false) { field @skip(if: $foo) @skip(if: $bar) }"
        #expect(
            try errors(UniqueDirectivesPerLocation(), document) == [
                "The directive \"@skip\" can only be used once at this location. (1:61, 1:77)"
            ])
    }
}

import Testing

@testable import GraphQL

@Suite struct ValidateSDLTests {
    @Test func errorsComeInDocumentOrder() throws {
        let document = try parse(
            Source("type A { x: B @who } enum E { V V } type A { y(a: Int, a: Int): Int } schema { query: C }"))
        #expect(
            validateSDL(document).map(\.message) == [
                "Unknown type \"B\". Did you mean \"A\" or \"E\"?", "Unknown directive \"@who\".",
                "Enum value \"E.V\" can only be defined once.", "There can be only one type named \"A\".",
                "Argument \"A.y(a:)\" can only be defined once.", "Unknown type \"C\". Did you mean \"A\" or \"E\"?",
            ])
    }

    @Test func executableDefinitionsAreNoneOfItsBusiness() throws {
        #expect(validateSDL(try parse(Source("type Query { a: Int } query { nothing @who }"))) == [])
    }

    @Test func everySpecifiedRuleIsOneOfAKind() {
        let names = specifiedSDLRules.map { "\($0)" }
        #expect(names.count == 15 && Set(names).count == 15)
    }
}

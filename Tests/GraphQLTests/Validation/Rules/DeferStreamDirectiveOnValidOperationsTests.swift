import Testing

@testable import GraphQL

@Suite struct DeferStreamDirectiveOnValidOperationsTests {
    @Test(arguments: [
        "{ dog { ... @defer { name } } }",
        "mutation { addPets { name ... @defer { name } } }",
        "subscription ($v: Boolean!) { newMessage { ... @defer(if: false) { body } ... @defer(if: $v) { body } } }",
        "subscription { newMessage { ...F } } query { ...G } fragment F on Message { body } "
            + "fragment G on Query { dog { ... @defer { name } } }",
    ])
    func whereNoSubscriptionDefers(_ document: String) throws {
        #expect(try errors(DeferStreamDirectiveOnValidOperations(), document) == [])
    }

    @Test func inSubscriptionsAndTheirFragments() throws {
        let document = """
            fragment F on Message { ...G }
            fragment G on Message { ... @defer(if: true) { body } }
            subscription { newMessage { ...F @defer body @stream } }
            query { dog { ... @defer { name } } }
            """
        let advice = "directive not supported on subscription operations. Disable"
        #expect(
            try errors(DeferStreamDirectiveOnValidOperations(), document) == [
                "Defer \(advice) `@defer` by setting the `if` argument to `false`. (2:29)",
                "Defer \(advice) `@defer` by setting the `if` argument to `false`. (3:34)",
                "Stream \(advice) `@stream` by setting the `if` argument to `false`. (3:46)",
            ])
    }
}

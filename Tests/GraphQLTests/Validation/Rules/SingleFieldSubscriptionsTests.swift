import Testing

@testable import GraphQL

@Suite struct SingleFieldSubscriptionsTests {
    @Test(arguments: [
        "subscription sub { newMessage { body sender } }",
        "subscription sub { ...F } fragment F on Subscription { newMessage { body } }",
        "subscription sub { newMessage { body @skip(if: true) } newMessage { sender } }",
        "subscription sub { ...F } fragment F on Subscription { ...F newMessage { body } ...Unknown }",
    ])
    func oneRootField(document: String) throws {
        #expect(try errors(SingleFieldSubscriptions(), document) == [])
    }

    @Test func twoRootFields() throws {
        let document = "subscription sub { newMessage { body } disallowedSecondRootField }"
        #expect(
            try errors(SingleFieldSubscriptions(), document) == [
                "Subscription \"sub\" must select only one top level field. (1:40)"
            ])
    }

    @Test func twoRootFieldsInAFragment() throws {
        let document =
            "subscription { ...F } fragment F on Subscription { newMessage { body } disallowedSecondRootField }"
        #expect(
            try errors(SingleFieldSubscriptions(), document) == [
                "Anonymous Subscription must select only one top level field. (1:72)"
            ])
    }

    /// New in the edition of September 2025.
    @Test func noConditionsAtTheRoot() throws {
        let document = """
            subscription s($bool: Boolean!) {
              newMessage @include(if: $bool) { body sender }
              disallowedSecondRootField @skip(if: $bool)
            }
            """
        let message = "Subscription \"s\" must not use `@skip` or `@include` directives in the top level selection."
        #expect(
            try errors(SingleFieldSubscriptions(), document) == [
                "\(message) (2:14)", "\(message) (3:29)",
                "Subscription \"s\" must select only one top level field. (3:3)",
            ])
    }

    @Test func noIntrospectionAtTheRoot() throws {
        #expect(
            try errors(SingleFieldSubscriptions(), "subscription sub { __typename }") == [
                "Subscription \"sub\" must not select an introspection top level field. (1:20)"
            ])
    }
}

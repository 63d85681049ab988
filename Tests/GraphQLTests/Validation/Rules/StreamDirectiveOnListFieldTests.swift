import Testing

@testable import GraphQL

@Suite struct StreamDirectiveOnListFieldTests {
    @Test func onLists() throws {
        #expect(try errors(StreamDirectiveOnListField(), "{ human { pets @stream { name } } }") == [])
        #expect(try errors(StreamDirectiveOnListField(), "{ dog { unknown @stream } }") == [])
    }

    @Test func onOtherFields() throws {
        #expect(
            try errors(StreamDirectiveOnListField(), "{ human @stream { name @stream(initialCount: 0) } }") == [
                "Directive \"@stream\" cannot be used on non-list field \"Query.human\". (1:9)",
                "Directive \"@stream\" cannot be used on non-list field \"Human.name\". (1:24)",
            ])
    }
}

import Testing

@testable import GraphQL

@Suite struct UniqueInputFieldNamesTests {
    @Test func theSameNameInDifferentObjects() throws {
        #expect(try errors(UniqueInputFieldNames(), "{ field(arg: {f: {f: 1}, g: [{f: 1}, {f: 2}]}) }") == [])
    }

    @Test func repeats() throws {
        #expect(
            try errors(UniqueInputFieldNames(), "{ field(arg: {field: true, a: {b: 1}, field: false}) }") == [
                "There can be only one input field named \"field\". (1:15, 1:39)"
            ])
    }
}

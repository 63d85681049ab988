import Testing

@testable import GraphQL

@Suite struct UniqueFragmentNamesTests {
    @Test func differentNames() throws {
        let document = "{ dog { ...one ...two } } fragment one on Dog { name } fragment two on Dog { owner { name } }"
        #expect(try errors(UniqueFragmentNames(), document) == [])
    }

    @Test func aNameMayNotComeTwice() throws {
        let document = "{ dog { ...one } }\nfragment one on Dog { name }\nfragment one on Dog { owner { name } }"
        #expect(
            try errors(UniqueFragmentNames(), document) == [
                "There can be only one fragment named \"one\". (2:10, 3:10)"
            ])
    }
}

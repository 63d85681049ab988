import Testing

@testable import GraphQL

@Suite struct KnownFragmentNamesTests {
    @Test func defined() throws {
        #expect(try errors(KnownFragmentNames(), "{ dog { ...F ... { name } } } fragment F on Dog { name }") == [])
    }

    @Test func undefined() throws {
        #expect(
            try errors(KnownFragmentNames(), "{ dog { ...undefinedFragment } }") == [
                "Unknown fragment \"undefinedFragment\". (1:12)"
            ])
    }
}

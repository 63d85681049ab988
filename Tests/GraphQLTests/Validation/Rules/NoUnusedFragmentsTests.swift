import Testing

@testable import GraphQL

@Suite struct NoUnusedFragmentsTests {
    @Test func usedDirectlyOrThroughAnother() throws {
        #expect(
            try errors(NoUnusedFragments(), "{ dog { ...A } } fragment B on Dog { name } fragment A on Dog { ...B }")
                == [])
    }

    @Test func unused() throws {
        #expect(
            try errors(NoUnusedFragments(), "fragment nameFragment on Dog { name } { dog { name } }") == [
                "Fragment \"nameFragment\" is never used. (1:1)"
            ])
    }

    @Test func usedByUnusedOnesOnly() throws {
        #expect(
            try errors(NoUnusedFragments(), "{ dog { name } }\nfragment A on Dog { ...B }\nfragment B on Dog { ...A }")
                == [
                    "Fragment \"A\" is never used. (2:1)", "Fragment \"B\" is never used. (3:1)",
                ])
    }
}

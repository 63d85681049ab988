import Testing

@testable import GraphQL

@Suite struct LoneAnonymousOperationTests {
    @Test func oneAlone() throws {
        #expect(try errors(LoneAnonymousOperation(), "{ dog { ...F } } fragment F on Dog { name }") == [])
    }

    @Test func notBesideAnother() throws {
        #expect(
            try errors(LoneAnonymousOperation(), "{ dog { name } }\nquery getName { dog { owner { name } } }") == [
                "This anonymous operation must be the only defined operation. (1:1)"
            ])
    }
}

import Testing

@testable import GraphQL

@Suite struct KnownDirectivesTests {
    @Test func definedAndInTheirPlace() throws {
        let document =
            "query ($a: Int @label(text: \"a\")) @label(text: \"q\") { dog @skip(if: true) { ...F "
            + "@include(if: true) } }"
        #expect(try errors(KnownDirectives(), document) == [])
    }

    @Test func outOfPlace() throws {
        #expect(
            try errors(KnownDirectives(), "query @skip(if: $foo) { ... @label(text: \"a\") { field } }") == [
                "Directive \"@skip\" may not be used on QUERY. (1:7)",
                "Directive \"@label\" may not be used on INLINE_FRAGMENT. (1:29)",
            ])
    }

    @Test func undefined() throws {
        #expect(try errors(KnownDirectives(), "{ dog @unknown { name } }") == ["Unknown directive \"@unknown\". (1:7)"])
    }
}

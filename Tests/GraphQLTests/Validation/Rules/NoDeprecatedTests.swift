import Testing

@testable import GraphQL

@Suite struct NoDeprecatedTests {
    private func found(_ document: String) throws -> [String] {
        let schema = """
            type Query { old: Int @deprecated(reason: "Use new.") new(a: Int @deprecated, b: E, c: I): Int }
            enum E { X Y @deprecated(reason: "Use X.") }
            input I { x: Int y: Int @deprecated }
            """
        return try errors(NoDeprecated(), document, schema: buildSchema(parse(Source(schema))))
    }

    @Test func whatIsNotDeprecated() throws {
        #expect(try found("{ new(b: X, c: {x: 1}) }") == [])
    }

    @Test func everyUseOfWhatIs() throws {
        #expect(
            try found("{ old new(a: 1, b: Y, c: {y: 1}) }") == [
                "The field Query.old is deprecated. Use new. (1:3)",
                "Field \"Query.new\" argument \"a\" is deprecated. No longer supported (1:11)",
                "The enum value \"E.Y\" is deprecated. Use X. (1:20)",
                "The input field I.y is deprecated. No longer supported (1:27)",
            ])
    }
}

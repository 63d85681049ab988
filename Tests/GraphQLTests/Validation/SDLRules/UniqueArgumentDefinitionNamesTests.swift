import Testing

@testable import GraphQL

@Suite struct UniqueArgumentDefinitionNamesTests {
    private func errors(_ text: String, extending schema: String? = nil) throws -> [String] {
        try sdlErrors(UniqueArgumentDefinitionNames.self, text, extending: schema)
    }

    @Test func anArgumentIsDefinedOnceAFieldOrDirective() throws {
        #expect(try errors("type A { x(a: Int): Int y(a: Int): Int } directive @d(a: Int) on FIELD") == [])
        #expect(
            try errors("extend interface A { x(a: Int, b: Int, a: Int, a: Int): Int }") == [
                "Argument \"A.x(a:)\" can only be defined once. (1:24, 1:40, 1:48)"
            ])
        #expect(
            try errors("directive @d(a: Int, a: Int) on FIELD") == [
                "Argument \"@d(a:)\" can only be defined once. (1:14, 1:22)"
            ])
    }
}

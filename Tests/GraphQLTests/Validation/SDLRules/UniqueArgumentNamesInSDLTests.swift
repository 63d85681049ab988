import Testing

@testable import GraphQL

@Suite struct UniqueArgumentNamesInSDLTests {
    private func errors(_ text: String, extending schema: String? = nil) throws -> [String] {
        try sdlErrors(UniqueArgumentNamesInSDL.self, text, extending: schema)
    }

    @Test func anArgumentIsGivenOnce() throws {
        #expect(try errors("type A @d(x: 1, y: 1) @d(x: 1)") == [])
        #expect(
            try errors("type A @d(x: 1, y: 1, x: 2, x: 3)") == [
                "There can be only one argument named \"x\". (1:11, 1:23, 1:29)"
            ])
    }
}

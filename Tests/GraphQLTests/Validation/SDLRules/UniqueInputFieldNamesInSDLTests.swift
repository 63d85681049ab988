import Testing

@testable import GraphQL

@Suite struct UniqueInputFieldNamesInSDLTests {
    private func errors(_ text: String, extending schema: String? = nil) throws -> [String] {
        try sdlErrors(UniqueInputFieldNamesInSDL.self, text, extending: schema)
    }

    @Test func aFieldIsGivenOnceAnObject() throws {
        #expect(try errors("input A { a: A = {x: {x: 1}, y: [{x: 1}, {x: 1}]} }") == [])
        #expect(
            try errors("input A { a: A = {x: {y: 1, y: 2}, x: 3} }") == [
                "There can be only one input field named \"y\". (1:23, 1:29)",
                "There can be only one input field named \"x\". (1:19, 1:36)",
            ])
        #expect(
            try errors("type A @d(in: [{x: 1, x: 1}])") == [
                "There can be only one input field named \"x\". (1:17, 1:23)"
            ])
    }
}

import Testing

@testable import GraphQL

@Suite struct PossibleTypeExtensionsTests {
    private func errors(_ text: String, extending schema: String? = nil) throws -> [String] {
        try sdlErrors(PossibleTypeExtensions.self, text, extending: schema)
    }

    @Test func extendsWhatIsOfTheSameKind() throws {
        #expect(try errors("extend type A @x enum B extend enum B @x", extending: "type A { a: Int }") == [])
    }

    @Test func refusesAnotherKind() throws {
        #expect(
            try errors("scalar A\nextend input A @x\nextend enum Query @x", extending: "type Query { a: Int }") == [
                "Cannot extend non-input object type \"A\". (1:1, 2:1)", "Cannot extend non-enum type \"Query\". (3:1)",
            ])
    }

    @Test func refusesWhatIsNotDefined() throws {
        #expect(
            try errors("type Thought { a: Int }\nextend type Thoght @x") == [
                "Cannot extend type \"Thoght\" because it is not defined. Did you mean \"Thought\"? (2:13)"
            ])
        #expect(
            try errors("extend scalar ID @x") == ["Cannot extend type \"ID\" because it is not defined. (1:15)"])
    }
}

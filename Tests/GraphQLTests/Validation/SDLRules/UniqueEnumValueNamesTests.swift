import Testing

@testable import GraphQL

@Suite struct UniqueEnumValueNamesTests {
    private func errors(_ text: String, extending schema: String? = nil) throws -> [String] {
        try sdlErrors(UniqueEnumValueNames.self, text, extending: schema)
    }

    @Test func aValueIsDefinedOnce() throws {
        #expect(try errors("enum A { X } enum B { X } extend enum A { Y }") == [])
        #expect(
            try errors("enum A { X X }\nextend enum A { X }") == [
                "Enum value \"A.X\" can only be defined once. (1:10, 1:12)",
                "Enum value \"A.X\" can only be defined once. (1:10, 2:17)",
            ])
    }

    @Test func anExtensionRepeatsNoValue() throws {
        #expect(
            try errors("extend enum A { X Y }", extending: "enum A { X }") == [
                "Enum value \"A.X\" already exists in the schema. "
                    + "It cannot also be defined in this type extension. (1:17)"
            ])
    }
}

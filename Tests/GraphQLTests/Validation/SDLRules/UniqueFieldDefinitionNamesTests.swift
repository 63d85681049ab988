import Testing

@testable import GraphQL

@Suite struct UniqueFieldDefinitionNamesTests {
    private func errors(_ text: String, extending schema: String? = nil) throws -> [String] {
        try sdlErrors(UniqueFieldDefinitionNames.self, text, extending: schema)
    }

    @Test(arguments: ["type", "interface", "input"])
    func aFieldIsDefinedOnce(_ kind: String) throws {
        #expect(try errors("\(kind) A { x: Int } \(kind) B { x: Int } extend \(kind) A { y: Int }") == [])
        #expect(
            try errors("\(kind) A {\n x: Int\n x: Int }\nextend \(kind) A {\n x: Int }") == [
                "Field \"A.x\" can only be defined once. (2:2, 3:2)",
                "Field \"A.x\" can only be defined once. (2:2, 5:2)",
            ])
        #expect(
            try errors("extend \(kind) A {\n x: Int y: Int }", extending: "\(kind) A { x: Int }") == [
                "Field \"A.x\" already exists in the schema. It cannot also be defined in this type extension. (2:2)"
            ])
    }
}

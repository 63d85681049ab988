import Testing

@testable import GraphQL

@Suite struct KnownDirectivesInSDLTests {
    private func errors(_ text: String, extending schema: String? = nil) throws -> [String] {
        try sdlErrors(KnownDirectivesInSDL.self, text, extending: schema)
    }

    @Test func knowsTheSpecifiedAndTheDocumentsOwn() throws {
        #expect(
            try errors(
                "type A { b: Int @deprecated } input I @oneOf { a: Int @mine } "
                    + "directive @mine on INPUT_FIELD_DEFINITION"
            )
                == [])
    }

    @Test func reportsUnknownAndMisplaced() throws {
        #expect(
            try errors("type A @who { b(c: Int @oneOf): Int @specifiedBy(url: \"\") }\nextend schema @deprecated") == [
                "Unknown directive \"@who\". (1:8)",
                "Directive \"@oneOf\" may not be used on ARGUMENT_DEFINITION. (1:24)",
                "Directive \"@specifiedBy\" may not be used on FIELD_DEFINITION. (1:37)",
                "Directive \"@deprecated\" may not be used on SCHEMA. (2:15)",
            ])
    }

    @Test(arguments: [
        ("scalar A @d", "SCALAR"), ("interface A @d", "INTERFACE"), ("union A @d", "UNION"), ("enum A @d", "ENUM"),
        ("enum A { V @d }", "ENUM_VALUE"), ("input A @d", "INPUT_OBJECT"), ("type A @d", "OBJECT"),
        ("input A { a: Int @d }", "INPUT_FIELD_DEFINITION"),
        ("directive @e(a: Int @d) on FIELD", "ARGUMENT_DEFINITION"),
    ])
    func namesThePlace(_ text: String, _ place: String) throws {
        let found = try errors("directive @d on QUERY \(text)")
        #expect(found.count == 1 && found[0].hasPrefix("Directive \"@d\" may not be used on \(place)."))
        #expect(try errors("directive @d on \(place) \(text)") == [])
    }
}

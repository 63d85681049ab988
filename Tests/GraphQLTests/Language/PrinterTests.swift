import Testing

@testable import GraphQL

@Suite struct PrinterTests {
    private func printed(_ text: String) throws -> String { try parse(Source(text)).printed }

    @Test func shorthandOnlyWhereNothingIsLost() throws {
        #expect(try printed("query{a}") == "{\n  a\n}")
        #expect(try printed("query @d{a}") == "query @d {\n  a\n}")
        #expect(try printed("query($a:Int){a}") == "query ($a: Int) {\n  a\n}")
        #expect(try printed("type A query{a}") == "type A\n\nquery {\n  a\n}")
        #expect(try printed("type A{b:C}query{a}").hasSuffix("}\n\n{\n  a\n}"))
        #expect(try printed("\"d\" query{a}") == "\"d\"\nquery {\n  a\n}")
    }

    @Test func describedVariablesGetALineEach() throws {
        #expect(
            try printed("query Q(\"one\" $a:Int=1 @d $b:[B!]!){a}") == """
                query Q(
                  "one"
                  $a: Int = 1 @d
                  $b: [B!]!
                ) {
                  a
                }
                """)
    }

    @Test func argumentsBreakAfter80Characters() throws {
        let fits = String(repeating: "x", count: 80 - "a(b: \"\")".count)
        #expect(try printed("{a(b:\"\(fits)\")}") == "{\n  a(b: \"\(fits)\")\n}")
        #expect(try printed("{a(b:\"\(fits)x\") @d {c}}") == "{\n  a(\n    b: \"\(fits)x\"\n  ) @d {\n    c\n  }\n}")
        let wide = String(repeating: "😀", count: fits.count / 2)
        #expect(try printed("{a(b:\"\(wide)\")}") == "{\n  a(b: \"\(wide)\")\n}")
        #expect(try printed("{a(b:\"\(wide)xx\")}").hasPrefix("{\n  a(\n"))
    }

    @Test func fragments() throws {
        #expect(
            try printed("fragment F on T@d{...G@e ...on U{a}...@f{b}}") == """
                fragment F on T @d {
                  ...G @e
                  ... on U {
                    a
                  }
                  ... @f {
                    b
                  }
                }
                """)
    }

    @Test(arguments: [
        (#""a\u0000\u007F\u009f\n\"\\\/ä""#, #""a\u0000\u007F\u009F\n\"\\/ä""#),
        ("[1,2.50,[],{},{a:{b:$c}},E,true,null]", "[1, 2.50, [], {}, {a: {b: $c}}, E, true, null]"),
    ])
    func values(text: String, expected: String) throws {
        #expect(try parseValue(Source(text)).printed == expected)
    }

    @Test(arguments: [
        ("", "\"\"\"\"\"\""), ("short", "\"\"\"short\"\"\""), ("a\nb", "\"\"\"\na\nb\n\"\"\""),
        (" a", "\"\"\" a\"\"\""), ("a\"", "\"\"\"\na\"\n\"\"\""), ("a\\", "\"\"\"\na\\\n\"\"\""),
        ("a\n b", "\"\"\"\na\n b\n\"\"\""), ("\"\"\"", "\"\"\"\n\\\"\"\"\n\"\"\""),
        ("\"\"\"\"\"\" x", "\"\"\"\\\"\"\"\\\"\"\" x\"\"\""),
    ])
    func blockStrings(value: String, expected: String) throws {
        #expect(Value(.string(StringValue(value, isBlock: true))).printed == expected)
        #expect(try stringValue(expected) == value)
    }

    private func stringValue(_ text: String) throws -> String? {
        guard case .string(let string) = try parseValue(Source(text)).kind else { return nil }
        return string.value
    }

    @Test func typeSystem() throws {
        let text = """
            "s"
            schema @a {
              query: Q
            }

            extend schema @b

            type Q implements A & B @c {
              f(a: Int = 1, b: [B!]! = []): Int! @d
              g(
                \"\"\"
                two
                lines
                \"\"\"
                a: Int
                b: Int
              ): Int
            }

            union U = A | B

            enum E {
              "first"
              A @d
              B
            }

            input I @oneOf {
              a: Int = 1 @d
            }

            extend scalar S @d

            interface N

            directive @d(a: Int) repeatable on FIELD | ENUM_VALUE
            """
        #expect(try printed(text) == text)
    }

    @Test func typeReferences() throws {
        #expect(try parseType(Source(" [ [ A ! ] ] ! ")).printed == "[[A!]]!")
    }
}

import Testing

@testable import GraphQL

@Suite struct PrintSchemaTests {
    private func printed(_ text: String) throws -> String {
        printSchema(try buildSchema(try parse(Source(text))))
    }

    @Test func printsWhatIsOwnAndKeepsAppliedDirectives() throws {
        let text = #"""
            """Static cost."""
            directive @cost(weight: String! = "1") repeatable on ARGUMENT_DEFINITION | FIELD_DEFINITION

            """The roots."""
            type Query implements Node @tagged {
              id: ID!
              """
              Several
              lines.
              """
              things(first: Int = 20 @cost(weight: "2"), by: By): [Thing!]! @deprecated(reason: "old") @cost
            }

            directive @tagged on OBJECT | ENUM_VALUE

            interface Node {
              id: ID!
            }

            union Thing = Query

            enum Order {
              NEWEST @tagged
              OLDEST
            }

            input By @oneOf {
              id: ID
              name: String
            }

            scalar Date @specifiedBy(url: "https://example.org")
            """#
        let once = try printed(text)
        #expect(
            once.contains(
                "things(first: Int = 20 @cost(weight: \"2\"), by: By): [Thing!]! @deprecated(reason: \"old\")"))
        #expect(once.contains("scalar Date @specifiedBy(url: \"https://example.org\")"))
        #expect(once.contains("input By @oneOf {\n  id: ID\n  name: String\n}"))
        #expect(once.contains("\"\"\"The roots.\"\"\"\ntype Query implements Node @tagged {"))
        #expect(once.contains("  \"\"\"\n  Several\n  lines.\n  \"\"\"\n  things"))
        #expect(!once.contains("__Type") && !once.contains("scalar ID") && !once.contains("directive @skip"))
        #expect(!once.contains("schema {"))
        #expect(try printed(once) == once)
    }

    @Test func printsTheSchemaOnlyWhereItSaysSomething() throws {
        #expect(try printed("schema { query: Root } type Root { a: Int }").hasPrefix("schema {\n  query: Root\n}"))
        #expect(
            try printed("schema { query: Query } type Query { a: Mutation } type Mutation { a: Int }")
                .hasPrefix("schema {\n  query: Query\n}"))
        #expect(
            try printed("\"About.\" schema { query: Query } type Query { a: Int }").hasPrefix(
                "\"\"\"About.\"\"\"\nschema {"))
        #expect(try printed("type Query { a: Int }") == "type Query {\n  a: Int\n}")
    }

    @Test(arguments: [
        "plain", " indented first", "  all\n  indented", "\nleading", "trailing\n", "tab\tand \"\"\" quotes",
        "control\u{7}", "back\\slash", "",
    ])
    func descriptionsReadBack(_ description: String) throws {
        let schema = try buildSchema(try parse(Source("type Query { a: Int }")))
        var document = Document(schema)
        guard case .type(var type) = document.definitions[0] else { throw RequestError([]) }
        type.description = StringValue(description: description)
        document.definitions = [.type(type)]
        let again = try parse(Source(document.printed))
        guard case .type(let read) = again.definitions[0] else { throw RequestError([]) }
        #expect(read.description?.value == description)
    }
}

import Testing

@testable import GraphQL

@Suite struct ParserTests {
    private func failure(_ text: String, _ options: ParserOptions = ParserOptions()) -> GraphQLError? {
        failure(Array(text.utf8), options)
    }

    private func failure(_ bytes: [UInt8], _ options: ParserOptions = ParserOptions()) -> GraphQLError? {
        do {
            _ = try parse(Source(bytes), options: options)
            return nil
        } catch {
            return error
        }
    }

    @Test func operationWithEverything() throws {
        let source = Source(
            """
            "Reads a thought." query Q("its id" $id: [ID!]! = ["a"] @v) @q { t: thought(id: $id) @f { ...F } }
            """)
        let document = try parse(source)
        guard case .operation(let query)? = document.definitions.first else {
            Issue.record("not an operation")
            return
        }
        #expect(query.operation == .query)
        #expect(query.name?.value == "Q")
        #expect(query.description?.value == "Reads a thought.")
        #expect(query.location.offset == 0)
        #expect(query.directives.map(\.name.value) == ["q"])
        let variable = try #require(query.variableDefinitions.first)
        #expect(variable.description?.value == "its id")
        #expect(variable.name.value == "id")
        #expect(variable.directives.count == 1)
        guard case .field(let field)? = query.selectionSet.selections.first,
            case .fragmentSpread(let spread)? = field.selectionSet?.selections.first
        else {
            Issue.record("not a field with a spread")
            return
        }
        #expect(field.alias?.value == "t")
        #expect(field.responseName == "t")
        #expect(field.location == field.alias?.location)
        #expect(source.location(of: field.name.location) == SourceLocation(line: 1, column: 69))
        #expect(field.arguments.map(\.name.value) == ["id"])
        #expect(spread.name.value == "F")
    }

    @Test func inlineFragments() throws {
        let document = try parse(Source("{ ... { a } ... @d { b } ... on T { c } ...on_x }"))
        guard case .operation(let query)? = document.definitions.first else {
            Issue.record("not an operation")
            return
        }
        let shapes = query.selectionSet.selections.map { selection in
            switch selection {
            case .field: "field"
            case .fragmentSpread(let spread): "spread \(spread.name.value)"
            case .inlineFragment(let fragment):
                "\(fragment.typeCondition?.name.value ?? "-") \(fragment.directives.count)"
            }
        }
        #expect(shapes == ["- 0", "- 1", "T 0", "spread on_x"])
    }

    @Test func typeSystem() throws {
        let document = try parse(
            Source(
                """
                "root" schema @a { query: Q mutation: M }
                "obj" type Q implements & I & J @b { "f" f("a" a: Int = 1 @c): [Int!]! @d }
                interface I implements J
                union U = | A | B
                enum E { A @x B }
                input N @oneOf { a: Int = 1, b: [N!] }
                scalar S @specifiedBy(url: "u")
                directive @d(a: Int) repeatable on FIELD | QUERY
                extend type Q { g: Int }
                extend schema @z
                """))
        #expect(document.definitions.count == 10)
        guard case .type(let object) = document.definitions[1], case .type(let union) = document.definitions[3],
            case .directive(let directive) = document.definitions[7]
        else {
            Issue.record("unexpected kinds")
            return
        }
        #expect(object.interfaces.map(\.name.value) == ["I", "J"])
        #expect(object.fields.first?.arguments.first?.description?.value == "a")
        #expect(union.memberTypes.map(\.name.value) == ["A", "B"])
        #expect(directive.isRepeatable)
        #expect(directive.locations.map(\.value) == ["FIELD", "QUERY"])
    }

    @Test func values() throws {
        guard case .list(let items) = try parseValue(Source("[1 2.5 \"s\" true null E $v {a: {}} []]")).kind else {
            Issue.record("not a list")
            return
        }
        #expect(items.count == 9)
        #expect(throws: GraphQLError.self) { try parseConstValue(Source("[$v]")) }
        #expect(throws: GraphQLError.self) { try parseValue(Source("1 2")) }
        #expect(try parseType(Source("[[A!]]!")).location.offset == 0)
    }

    @Test(arguments: [
        ("", "Unexpected <EOF>.", 1),
        ("{", "Expected Name, found <EOF>.", 2),
        ("{ a(b: ) }", "Unexpected \")\".", 8),
        ("{ a() }", "Expected Name, found \")\".", 5),
        ("{ }", "Expected Name, found \"}\".", 3),
        ("\"d\" { a }", "Unexpected description, descriptions are not supported on shorthand queries.", 1),
        (
            "\"d\" extend type A { a: B }",
            "Unexpected description, descriptions are supported only on type definitions.", 1
        ),
        ("query ($a: Int = $b) { a }", "Unexpected variable \"$b\" in constant value.", 18),
        ("fragment on on T { a }", "Unexpected Name \"on\".", 10),
        ("extend type A", "Unexpected <EOF>.", 14),
        ("enum E { null }", "Name \"null\" is reserved and cannot be used for an enum value.", 10),
        ("directive @d on NOWHERE", "Unexpected Name \"NOWHERE\".", 17),
        ("fragment F($a: Int) on T { a }", "Expected \"on\", found \"(\".", 11),
    ])
    func syntaxErrors(text: String, message: String, column: Int) {
        let error = failure(text)
        #expect(error?.message == "Syntax Error: " + message)
        #expect(error?.locations == [SourceLocation(line: 1, column: column)])
        #expect(error?.extensions["code"] == .string("GRAPHQL_PARSE_FAILED"))
    }

    @Test func legacyFragmentVariables() {
        #expect(failure("fragment F($a: Int) on T { a }", ParserOptions(allowLegacyFragmentVariables: true)) == nil)
    }

    @Test func tokenLimit() {
        #expect(failure("{ a }", ParserOptions(maxTokens: 3)) == nil)
        let error = failure("{ a }", ParserOptions(maxTokens: 2))
        #expect(error?.extensions["code"] == .string("QUERY_TOO_COMPLEX"))
        #expect(error?.extensions["limit"] == .string("tokens"))
        #expect(error?.extensions["maximum"] == .int(2))
    }
}

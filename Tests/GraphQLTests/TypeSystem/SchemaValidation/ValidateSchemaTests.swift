import Testing

@testable import GraphQL

@Suite struct ValidateSchemaTests {
    /// Message and places of each error, as `message (line:column, …)`.
    private func errors(_ text: String) throws -> [String] {
        let document = try parse(Source(text))
        let schema = try buildSchema(document, assumeValid: true)
        return validateSchema(schema, definedBy: document).map { error in
            "\(error.message) (\(error.locations.map { "\($0.line):\($0.column)" }.joined(separator: ", ")))"
        }
    }

    /// The errors of definitions beside a query type.
    private func errorsBeside(_ text: String) throws -> [String] {
        try errors("type Query { query: Int }\n" + text)
    }

    @Test func acceptsAWholeSchema() throws {
        #expect(
            try errors(
                """
                type Query implements Node { id: ID! find(by: By, filter: Filter = {first: 3}): [Result] }
                interface Node { id: ID! } interface Named implements Node { id: ID! name: String }
                type User implements Node & Named { id: ID! name: String! posts(first: Int): [Post!]! }
                type Post implements Node { id: ID! author: Named }
                union Result = User | Post
                input By @oneOf { id: ID name: String } input Filter { first: Int! = 20 inner: Filter }
                directive @cost(weight: Int = 1) on FIELD_DEFINITION
                """) == [])
    }

    @Test func requiresAQueryType() throws {
        #expect(try errors("type Other { a: Int }") == ["Query root type must be provided. ()"])
        #expect(
            try errors("schema { mutation: M } type M { a: Int }") == ["Query root type must be provided. (1:1)"])
    }

    @Test func rootTypesAreObjects() throws {
        #expect(
            try errors("interface Query { a: Int }") == [
                "Query root type must be Object type, it cannot be Query. (1:1)"
            ])
        #expect(
            try errorsBeside("schema { query: Query mutation: E subscription: E } enum E { A }") == [
                "Mutation root type must be Object type if provided, it cannot be E. (2:33)",
                "Subscription root type must be Object type if provided, it cannot be E. (2:49)",
            ])
    }

    @Test func rootTypesDiffer() throws {
        #expect(
            try errorsBeside("schema { query: Query mutation: Query }") == [
                "All root types must be different, \"Query\" type is used as query and mutation root types. "
                    + "(2:17, 2:33)"
            ])
    }

    @Test func refusesReservedNames() throws {
        let rest = "must not begin with \"__\", which is reserved by GraphQL introspection."
        #expect(
            try errorsBeside("type __T { __f(__a: Int): Int }\nenum E { __V }\ninput I { __g: Int }") == [
                "Name \"__T\" \(rest) (2:1)", "Name \"__f\" \(rest) (2:12)", "Name \"__a\" \(rest) (2:16)",
                "Name \"__V\" \(rest) (3:10)", "Name \"__g\" \(rest) (4:11)",
            ])
        #expect(try errorsBeside("directive @__d on FIELD") == ["Name \"__d\" \(rest) (2:1)"])
        #expect(try errorsBeside("type __Schema { a: Int }") == ["Name \"__Schema\" \(rest) (2:1)"])
    }

    @Test func aBuiltInScalarMayBeRepeatedButNotChanged() throws {
        #expect(try errorsBeside("scalar ID") == [])
        #expect(
            try errorsBeside("type ID { a: Int }") == [
                "Type \"ID\" is a built-in scalar. It cannot be another kind of type. (2:1)"
            ])
    }

    @Test func refusesEmptyTypes() throws {
        #expect(
            try errorsBeside("type T\ninterface I\nunion U\nenum E\ninput N\nextend type T @deprecated") == [
                "Type T must define one or more fields. (2:1, 7:1)",
                "Type I must define one or more fields. (3:1)",
                "Union type U must define one or more member types. (4:1)",
                "Enum type E must define one or more values. (5:1)",
                "Input Object type N must define one or more fields. (6:1)",
            ])
    }

    @Test func keepsInputAndOutputApart() throws {
        #expect(
            try errorsBeside(
                "type T { a: [N] b(c: T!): Int }\ninput N { d: T }\ndirective @x(y: T) on FIELD") == [
                    "The type of @x(y:) must be Input Type but got: T. (4:14)",
                    "The type of T.a must be Output Type but got: [N]. (2:13)",
                    "The type of T.b(c:) must be Input Type but got: T!. (2:22)",
                    "The type of N.d must be Input Type but got: T. (3:14)",
                ])
    }

    @Test func requiredInputsAreNotDeprecated() throws {
        #expect(
            try errorsBeside(
                """
                type T { a(b: Int! @deprecated, c: Int! = 1 @deprecated): Int }
                input N { d: Int! @deprecated e: Int @deprecated }
                directive @x(y: Int! @deprecated) on FIELD
                """) == [
                    "Required argument @x(y:) cannot be deprecated. (4:22, 4:17)",
                    "Required argument T.a(b:) cannot be deprecated. (2:20, 2:15)",
                    "Required input field N.d cannot be deprecated. (3:19, 3:14)",
                ])
    }

    @Test func unionsHoldObjectsOnce() throws {
        #expect(
            try errorsBeside("union U = Query | I | Query\ninterface I { a: Int }") == [
                "Union type U can only include Object types, it cannot include I. (2:19)",
                "Union type U can only include type Query once. (2:11, 2:23)",
            ])
    }

    @Test func constantsFitTheirTypes() throws {
        #expect(
            try errorsBeside(
                """
                type T { a(b: Int = "x", c: E = B, d: N = {x: 1}, e: [Int!] = [1, null]): Int @note(text: 5) }
                enum E { A }
                input N { f: Float = true }
                directive @note(text: String = 1) on FIELD_DEFINITION
                """) == [
                    "@note(text:) has invalid default value: String cannot represent a non string value: 1 (5:32)",
                    "Argument \"text\" of directive \"@note\" has an invalid value: "
                        + "String cannot represent a non string value: 5 (2:91)",
                    "T.a(b:) has invalid default value: Int cannot represent non-integer value: \"x\" (2:21)",
                    "T.a(c:) has invalid default value: Value \"B\" does not exist in \"E\" enum. "
                        + "Did you mean the enum value \"A\"? (2:33)",
                    "T.a(d:) has invalid default value: Float cannot represent non numeric value: true (2:43)",
                    "T.a(e:) has invalid default value: Expected value of type \"Int!\", found null. (2:63)",
                    "N.f has invalid default value: Float cannot represent non numeric value: true (4:22)",
                ])
    }

    @Test func directivesDoNotReferToThemselves() throws {
        #expect(
            try errorsBeside(
                """
                directive @a(x: Int @a) on ARGUMENT_DEFINITION
                directive @b(x: Int @c) on ARGUMENT_DEFINITION | ENUM
                directive @c(x: E) on ARGUMENT_DEFINITION
                directive @d(x: Int @a) on ARGUMENT_DEFINITION
                enum E @b { V }
                """) == [
                    "Directive \"@a\" cannot refer to itself. (2:1)",
                    "Directive \"@b\" cannot refer to itself. (3:1)",
                    "Directive \"@c\" cannot refer to itself. (4:1)",
                ])
    }

    @Test func buildingRefusesWhatIsWrong() throws {
        let document = try parse(Source("type Query { a: Int } enum E"))
        let error = try #require(throws: RequestError.self) { try buildSchema(document) }
        #expect(error.errors.map(\.message) == ["Enum type E must define one or more values."])
    }
}

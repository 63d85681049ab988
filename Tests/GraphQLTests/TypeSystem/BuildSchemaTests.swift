import Testing

@testable import GraphQL

@Suite struct BuildSchemaTests {
    private func build(_ text: String) throws -> Schema { try buildSchema(try parse(Source(text))) }

    @Test func resolvesNamesAndWrappers() throws {
        let schema = try build("type Query { things(ids: [ID!]!): [Thing] } type Thing { id: ID! }")
        let field = try #require(schema.type(named: "Query")?.field(named: "things"))
        #expect(schema.notation(of: field.type) == "[Thing]")
        #expect(schema.notation(of: try #require(field.argument(named: "ids")).type) == "[ID!]!")
        #expect(schema[schema.queryType].name == "Query")
        #expect(schema.mutationType == nil)
    }

    @Test func rootTypesHaveDefaultNamesUnlessTheSchemaIsDefined() throws {
        let extended = try build("type Query { a: Int } type M { a: Int } extend schema { mutation: M }")
        #expect(extended.queryType == extended.typeIndex(named: "Query"))
        #expect(extended.mutationType == extended.typeIndex(named: "M"))
        let defined = try build("schema { query: Query } type Query { a: Int } type Mutation { a: Int }")
        #expect(defined.mutationType == nil)
    }

    @Test func leavesOutBuiltInScalarsThatNothingRefersTo() throws {
        let schema = try build("type Query { a: Int }")
        #expect(schema.type(named: "Int") != nil)
        #expect(schema.type(named: "String") != nil)
        #expect(schema.type(named: "Float") == nil)
        #expect(schema.type(named: "ID") == nil)
    }

    @Test func hasIntrospectionTypesAndSpecifiedDirectives() throws {
        let schema = try build("type Query { a: Int }")
        #expect(schema.type(named: "__Type")?.field(named: "isOneOf") != nil)
        let names = ["skip", "include", "defer", "stream", "deprecated", "specifiedBy", "oneOf"]
        #expect(schema.directives.map(\.name) == names)
        let reason = try #require(schema.directive(named: "deprecated")?.argument(named: "reason"))
        #expect(reason.defaultValue == .string("No longer supported"))
        #expect(schema.notation(of: reason.type) == "String!")
    }

    @Test func mergesExtensionsOfEveryKind() throws {
        let schema = try build(
            """
            directive @note repeatable on SCHEMA | SCALAR | OBJECT
            schema @note { query: Root }
            extend schema @note { mutation: Change }
            type Root { a: Any } extend type Root implements Named @note { name: String }
            type Change { a: Kind } interface Named { name: String } extend interface Named { other: String }
            extend type Root { other: String }
            scalar Any extend scalar Any @note
            union Either = Root extend union Either = Change
            enum Kind { ONE } extend enum Kind { TWO }
            input Filter { a: Int } extend input Filter { b: Int }
            """)
        #expect(schema.mutationType == schema.typeIndex(named: "Change"))
        #expect(schema.appliedDirectives.count == 2)
        #expect(schema.type(named: "Root")?.fields.map(\.name) == ["a", "name", "other"])
        let named = try #require(schema.typeIndex(named: "Named"))
        let either = try #require(schema.typeIndex(named: "Either"))
        #expect(schema.possibleTypes[named.rawValue].map { schema[$0].name } == ["Root"])
        #expect(schema.possibleTypes[either.rawValue].map { schema[$0].name } == ["Root", "Change"])
        guard case .enumeration(let kind) = schema.type(named: "Kind") else { throw RequestError([]) }
        #expect(kind.values.map(\.name) == ["ONE", "TWO"])
        guard case .inputObject(let filter) = schema.type(named: "Filter") else { throw RequestError([]) }
        #expect(filter.fields.map(\.name) == ["a", "b"])
        guard case .scalar(let any) = schema.type(named: "Any") else { throw RequestError([]) }
        #expect(any.directives.map(\.name.value) == ["note"])
    }

    @Test func coercesDefaultsOnceWithTheDefaultsInside() throws {
        let schema = try build(
            """
            type Query { a(by: Filter = {first: 3}, order: Order! = NEWEST, list: [Float] = 1): Int }
            input Filter { first: Int = 20 after: String = "start" }
            enum Order { NEWEST }
            """)
        let field = try #require(schema.type(named: "Query")?.field(named: "a"))
        #expect(
            field.argument(named: "by")?.defaultValue
                == .object(InputObject([("first", .int(3)), ("after", .string("start"))])))
        #expect(field.argument(named: "order")?.defaultValue == .enumeration("NEWEST"))
        #expect(field.argument(named: "list")?.defaultValue == .list([.float(1)]))
        #expect(field.argument(named: "order")?.isRequired == false)
    }

    @Test func readsDeprecationSpecificationAndOneOf() throws {
        let schema = try build(
            """
            type Query { a(x: Int @deprecated): Date @deprecated(reason: "use b") b: Int }
            scalar Date @specifiedBy(url: "https://example.org/date")
            input By @oneOf { id: ID name: String }
            """)
        let field = try #require(schema.type(named: "Query")?.field(named: "a"))
        #expect(field.deprecationReason == "use b")
        #expect(field.argument(named: "x")?.deprecationReason == "No longer supported")
        guard case .scalar(let date) = schema.type(named: "Date") else { throw RequestError([]) }
        #expect(date.specifiedByURL == "https://example.org/date")
        guard case .inputObject(let by) = schema.type(named: "By") else { throw RequestError([]) }
        #expect(by.isOneOf)
    }

    @Test func aSchemaAssumedValidMayLackAQueryType() throws {
        let schema = try buildSchema(try parse(Source("type Thing { id: ID }")), assumeValid: true)
        #expect(schema.rootType(for: .query) == nil)
        #expect(schema.type(named: "Thing") != nil)
    }

    @Test func namesTheFileOfAMistake() throws {
        let sources = [
            Source("type Query {\n  a: Int\n}", name: "query.graphql"),
            Source("\ntype Thing { other: Unknown }", name: "thing.graphql"),
        ]
        let error = try #require(throws: RequestError.self) { try buildSchema(sources: sources) }
        #expect(error.errors.first?.message.hasSuffix("(thing.graphql:2:21)") == true)
        #expect(error.errors.first?.locations == [SourceLocation(line: 2, column: 21)])
    }

    @Test func namesTheFileThatDoesNotParse() throws {
        let sources = [
            Source("type Query { a: Int", name: "query.graphql"), Source("scalar Date", name: "date.graphql"),
        ]
        let error = try #require(throws: RequestError.self) { try buildSchema(sources: sources) }
        #expect(error.errors.first?.message.hasSuffix("(query.graphql:1:20)") == true)
    }
}

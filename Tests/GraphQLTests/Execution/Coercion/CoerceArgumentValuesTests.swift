import Testing

@testable import GraphQL

@Suite struct CoerceArgumentValuesTests {
    private let schema: Schema

    init() throws {
        schema = try buildSchema(
            try parse(
                Source(
                    """
                    type Query {
                      find(in: Filter, count: Int! = 3, ids: [ID!], by: By, colour: Colour, at: Any, needed: Int!): Int
                    }
                    input Filter { first: Int! = 20 after: String list: [Int] }
                    input By @oneOf { id: ID name: String }
                    enum Colour { RED }
                    scalar Any
                    """)))
    }

    private func coerce(
        _ arguments: String, _ variables: [String: InputValue] = [:], needed: Bool = false
    ) throws(ArgumentError) -> InputObject {
        var nodes: [Argument] = []
        do {
            let document = try parse(Source("{ find\(arguments.isEmpty ? "" : "(\(arguments))") }"))
            if case .operation(let operation) = document.definitions[0],
                case .field(let field) = operation.selectionSet.selections[0]
            {
                nodes = field.arguments
            }
        } catch { Issue.record(error) }
        let definitions = schema[schema.queryType].field(named: "find")?.arguments ?? []
        return try coerceArgumentValues(
            schema, definitions.filter { needed || $0.name != "needed" }, nodes, variables)
    }

    private func object(_ fields: (name: String, value: InputValue)...) -> InputValue { .object(InputObject(fields)) }

    @Test func takesDefaults() throws {
        #expect(try coerce("") == InputObject([("count", .int(3))]))
        #expect(try coerce("count: $x") == InputObject([("count", .int(3))]))
        #expect(try coerce("in: {}")["in"] == object(("first", .int(20))))
    }

    @Test func fillsInVariables() throws {
        #expect(try coerce("ids: [\"a\", $id]", ["id": .string("b")])["ids"] == .list([.string("a"), .string("b")]))
        #expect(try coerce("in: {first: 1, after: $x}")["in"] == object(("first", .int(1))))
        #expect(
            try coerce("in: {list: [1, $x]}")["in"] == object(("first", .int(20)), ("list", .list([.int(1), .null]))))
        #expect(try coerce("in: $x")["in"] == nil)
        #expect(try coerce("in: $x", ["x": .null])["in"] == .null)
    }

    @Test func fillsVariablesIntoCustomScalars() throws {
        #expect(
            try coerce("at: {a: $x, b: $y, c: [RED, 1.5]}", ["x": .int(1)])["at"]
                == object(("a", .int(1)), ("c", .list([.enumeration("RED"), .float(1.5)]))))
    }

    @Test func keepsTheDigitsOfAnID() throws {
        #expect(
            try coerce("ids: 829384293849283498239482938")["ids"] == .list([.string("829384293849283498239482938")]))
    }

    @Test(arguments: [
        ("", "Argument \"needed\" of required type \"Int!\" was not provided.", nil as Int?),
        (
            "needed: $x",
            "Argument \"needed\" of required type \"Int!\" was provided the variable \"$x\" "
                + "which was not provided a runtime value.", 15
        ),
        ("needed: null", "Argument \"needed\" of non-null type \"Int!\" must not be null.", 15),
        ("needed: \"1\"", "Argument \"needed\" has invalid value \"1\".", 15),
        ("needed: 1, ids: [null]", "Argument \"ids\" has invalid value [null].", 23),
        ("needed: 1, by: {id: 1, name: \"n\"}", "Argument \"by\" has invalid value {id: 1, name: \"n\"}.", 22),
        ("needed: 1, by: {id: null}", "Argument \"by\" has invalid value {id: null}.", 22),
        ("needed: 1, by: {id: $x}", "Argument \"by\" has invalid value {id: $x}.", 22),
        ("needed: 1, colour: BLUE", "Argument \"colour\" has invalid value BLUE.", 26),
        ("needed: 1, in: {other: 1}", "Argument \"in\" has invalid value {other: 1}.", 22),
    ])
    func refuses(_ arguments: String, _ message: String, _ offset: Int?) throws {
        let error = try #require(throws: ArgumentError.self) { try coerce(arguments, needed: true) }
        #expect(error == ArgumentError(message: message, location: offset.map(Location.init)))
    }
}

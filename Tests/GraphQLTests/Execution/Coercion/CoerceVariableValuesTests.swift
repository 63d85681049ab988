import Testing

@testable import GraphQL

@Suite struct CoerceVariableValuesTests {
    private let schema: Schema

    init() throws {
        schema = try buildSchema(
            try parse(
                Source(
                    """
                    type Query { find(in: Filter, by: By, at: Any, colour: Colour, f: Float, b: Boolean, id: ID): Int }
                    input Filter { first: Int! = 20 names: [String!] inner: Filter after: String needed: Int! }
                    input By @oneOf { id: ID name: String }
                    enum Colour { AMBER GREEN }
                    scalar Any
                    """)))
    }

    private func coerce(
        _ definitions: String, _ inputs: [(name: String, value: InputValue)], maximumErrors: Int = 50
    ) throws(RequestError) -> [String: InputValue] {
        let source = Source("query (\(definitions)) { __typename }")
        guard case .operation(let operation) = try parseOrThrow(source).definitions[0] else { return [:] }
        return try coerceVariableValues(
            schema, operation.variableDefinitions, InputObject(inputs), source: source, maximumErrors: maximumErrors)
    }

    private func messages(_ definitions: String, _ inputs: [(name: String, value: InputValue)]) -> [String] {
        do {
            _ = try coerce(definitions, inputs)
            return []
        } catch {
            return error.errors.map(\.message)
        }
    }

    private func object(_ fields: (name: String, value: InputValue)...) -> InputValue { .object(InputObject(fields)) }

    @Test func tellsAbsentFromNull() throws {
        let values = try coerce("$a: Int, $b: Int, $c: Int = 7, $d: Int = 7", [("b", .null), ("d", .null)])
        #expect(values == ["b": .null, "c": .int(7), "d": .null])
    }

    @Test func requiresNonNullVariables() {
        #expect(messages("$a: Int!", []) == ["Variable \"$a\" of required type \"Int!\" was not provided."])
        #expect(
            messages("$a: [Int]!", [("a", .null)]) == ["Variable \"$a\" of non-null type \"[Int]!\" must not be null."])
    }

    @Test func givesCodeAndPlace() throws {
        let error = try #require(throws: RequestError.self) { try coerce("$a: Int, $b: Int!", []) }
        #expect(error.errors.first?.locations == [SourceLocation(line: 1, column: 17)])
        #expect(error.errors.first?.extensions["code"] == .string("BAD_USER_INPUT"))
    }

    @Test func refusesTypesThatAreNoInput() {
        #expect(
            messages("$a: [Query]", []) == [
                "Variable \"$a\" expected value of type \"[Query]\" which cannot be used as an input type."
            ])
    }

    @Test func coercesObjectsListsAndDefaults() throws {
        let input = object(("needed", .int(1)), ("names", .string("one")))
        #expect(
            try coerce("$a: Filter", [("a", input)]) == [
                "a": object(("first", .int(20)), ("names", .list([.string("one")])), ("needed", .int(1)))
            ])
    }

    @Test func reportsThePathOfEachMismatch() {
        let input = object(
            ("needed", .int(1)), ("inner", object(("needed", .string("x")), ("names", .list([.string("a"), .int(3)])))))
        #expect(
            messages("$a: Filter", [("a", input)]) == [
                "Variable \"$a\" got invalid value 3 at \"a.inner.names[1]\"; "
                    + "String cannot represent a non string value: 3",
                "Variable \"$a\" got invalid value \"x\" at \"a.inner.needed\"; "
                    + "Int cannot represent non-integer value: \"x\"",
            ])
    }

    @Test func reportsMissingAndUnknownFields() {
        #expect(
            messages("$a: Filter", [("a", object(("frist", .int(1))))]) == [
                "Variable \"$a\" got invalid value { frist: 1 }; Field \"needed\" of required type \"Int!\" "
                    + "was not provided.",
                "Variable \"$a\" got invalid value { frist: 1 }; Field \"frist\" is not defined by type \"Filter\". "
                    + "Did you mean \"first\"?",
            ])
        #expect(
            messages("$a: Filter", [("a", .int(1))]) == [
                "Variable \"$a\" got invalid value 1; Expected type \"Filter\" to be an object."
            ])
    }

    @Test func takesExactlyOneFieldOfAOneOf() throws {
        #expect(try coerce("$a: By", [("a", object(("id", .int(5))))]) == ["a": object(("id", .string("5")))])
        #expect(
            messages("$a: By", [("a", object(("id", .string("1")), ("name", .string("n"))))]) == [
                "Variable \"$a\" got invalid value { id: \"1\", name: \"n\" }; "
                    + "Exactly one key must be specified for OneOf type \"By\"."
            ])
        #expect(
            messages("$a: By", [("a", object(("id", .null)))]) == [
                "Variable \"$a\" got invalid value null at \"a.id\"; Field \"id\" must be non-null."
            ])
        #expect(
            messages("$a: By", [("a", object())]) == [
                "Variable \"$a\" got invalid value {}; Exactly one key must be specified for OneOf type \"By\"."
            ])
    }

    @Test func coercesEnumValues() throws {
        #expect(try coerce("$a: Colour", [("a", .string("AMBER"))]) == ["a": .enumeration("AMBER")])
        #expect(
            messages("$a: Colour", [("a", .string("GREN"))]) == [
                "Variable \"$a\" got invalid value \"GREN\"; Value \"GREN\" does not exist in \"Colour\" enum. "
                    + "Did you mean the enum value \"GREEN\"?"
            ])
        #expect(
            messages("$a: Colour", [("a", .int(1))]) == [
                "Variable \"$a\" got invalid value 1; Enum \"Colour\" cannot represent non-string value: 1."
            ])
    }

    @Test func customScalarsTakeAnyValue() throws {
        let value = object(("deep", .list([.float(1.5), .null])))
        #expect(try coerce("$a: Any", [("a", value)]) == ["a": value])
    }

    @Test func stopsAfterTheErrorLimit() {
        let wrong = InputValue.list(Array(repeating: .string("x"), count: 10_000))
        let found = messages("$a: [Int]", [("a", wrong)])
        #expect(found.count == 50)
        #expect(
            found.last
                == "Too many errors processing variables, error limit reached. Execution aborted.")
    }

    @Test func countsTheLimitOverAllVariables() throws {
        let error = try #require(throws: RequestError.self) {
            try coerce("$a: Int, $b: Int, $c: Int!", [("a", .string("x")), ("b", .string("y"))], maximumErrors: 2)
        }
        #expect(error.errors.count == 2)
        #expect(error.errors[0].message.contains("\"$a\""))
        #expect(error.errors[1].message.hasPrefix("Too many errors"))
    }
}

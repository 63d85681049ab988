import Testing

@testable import GraphQL

@Suite struct BuiltInScalarsTests {

    @Test func acceptsValues() throws {
        #expect(try ScalarCoercion.int.coerceInput(.int(-2_147_483_648)) == .int(-2_147_483_648))
        #expect(try ScalarCoercion.int.coerceInput(.float(3)) == .int(3))
        #expect(try ScalarCoercion.float.coerceInput(.int(3)) == .float(3))
        #expect(try ScalarCoercion.id.coerceInput(.int(3)) == .string("3"))
        #expect(try ScalarCoercion.id.coerceInput(.string("x")) == .string("x"))
        #expect(try ScalarCoercion.boolean.coerceInput(.boolean(true)) == .boolean(true))
    }

    @Test(arguments: [
        ("Int", InputValue.int(2_147_483_648), "Int cannot represent non 32-bit signed integer value: 2147483648"),
        (
            "Int", .float(8.293842938492835e26),
            "Int cannot represent non 32-bit signed integer value: 8.293842938492835e+26"
        ),
        ("Int", .float(1.5), "Int cannot represent non-integer value: 1.5"),
        ("Int", .string("1"), "Int cannot represent non-integer value: \"1\""),
        ("Float", .string("1"), "Float cannot represent non numeric value: \"1\""),
        ("Float", .float(.infinity), "Float cannot represent non numeric value: Infinity"),
        ("String", .int(1), "String cannot represent a non string value: 1"),
        ("Boolean", .int(1), "Boolean cannot represent a non boolean value: 1"),
        ("ID", .float(1.5), "ID cannot represent value: 1.5"),
        ("ID", .boolean(true), "ID cannot represent value: true"),
    ])
    func refusesInput(_ scalar: String, _ value: InputValue, _ message: String) throws {
        let coercion = try #require(BuiltInDefinitions.scalars[scalar])
        let error = try #require(throws: CoercionError.self) { try coercion.coerceInput(value) }
        #expect(error.message == message)
    }

    @Test(arguments: [
        (
            "Int", "829384293849283498239482938",
            "Int cannot represent non 32-bit signed integer value: 829384293849283498239482938"
        ),
        ("Int", "1.0", "Int cannot represent non-integer value: 1.0"),
        ("Int", "\"1\"", "Int cannot represent non-integer value: \"1\""),
        ("Float", "RED", "Float cannot represent non numeric value: RED"),
        ("Float", "1e400", "Float cannot represent non numeric value: 1e400"),
        ("String", "[\"a\"]", "String cannot represent a non string value: [\"a\"]"),
        ("Boolean", "1", "Boolean cannot represent a non boolean value: 1"),
        ("ID", "1.5", "ID cannot represent a non-string and non-integer value: 1.5"),
    ])
    func refusesLiterals(_ scalar: String, _ literal: String, _ message: String) throws {
        let coercion = try #require(BuiltInDefinitions.scalars[scalar]?.coerceLiteral)
        let error = try #require(throws: CoercionError.self) { try coercion(try parseValue(Source(literal))) }
        #expect(error.message == message)
    }
}

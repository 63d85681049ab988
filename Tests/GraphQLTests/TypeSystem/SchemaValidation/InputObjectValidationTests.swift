import Testing

@testable import GraphQL

@Suite struct InputObjectValidationTests {
    private func errors(_ text: String) throws -> [String] {
        let document = try parse(Source("type Query { query: Int }\n" + text))
        let schema = try buildSchema(document, assumeValid: true)
        return validateSchema(schema, definedBy: document).map { error in
            "\(error.message) (\(error.locations.map { "\($0.line):\($0.column)" }.joined(separator: ", ")))"
        }
    }

    @Test func oneOfFieldsAreNullableWithoutDefaults() throws {
        #expect(
            try errors("input I @oneOf { a: Int! b: Int = 1 c: [Int!] }") == [
                "OneOf input field I.a must be nullable. (2:21)",
                "OneOf input field I.b cannot have a default value. (2:26)",
            ])
    }

    @Test func aCircleCanEndSomewhere() throws {
        #expect(try errors("input A { self: A list: [A!]! b: B! } input B { a: A }") == [])
    }

    @Test func refusesCirclesOfNonNullFields() throws {
        #expect(
            try errors("input A { a: A! }") == [
                "Cannot reference Input Object \"A\" within itself through a series of non-null fields: \"a\". (2:11)"
            ])
        #expect(
            try errors("input A { b: B! }\ninput B { c: C! }\ninput C { a: A! self: C! }") == [
                "Cannot reference Input Object \"A\" within itself through a series of non-null fields: \"b.c.a\". "
                    + "(2:11, 3:11, 4:11)",
                "Cannot reference Input Object \"C\" within itself through a series of non-null fields: \"self\". "
                    + "(4:17)",
            ])
    }

    @Test func defaultsMayNest() throws {
        #expect(
            try errors("input A { a: A = {a: null} b: B = {} } input B { c: Int = 1 a: A = {a: null, b: null} }") == [])
    }

    @Test func refusesCircularDefaults() throws {
        let start = "Invalid circular reference. The default value of Input Object field"
        #expect(try errors("input A { a: A = {} }") == ["\(start) A.a references itself. (2:18)"])
        #expect(try errors("input A { a: [A] = [{}] }") == ["\(start) A.a references itself. (2:20)"])
        #expect(try errors("input A { a: A = {a: {a: {}}} }") == ["\(start) A.a references itself. (2:18)"])
        #expect(
            try errors("input A { b: B = {} }\ninput B { c: C = {} }\ninput C { a: A = {} }") == [
                "\(start) A.b references itself via the default values of: B.c, C.a. (2:18, 3:18, 4:18)"
            ])
        #expect(
            try errors("input A { x: A = {x: null} y: A = {y: null} }") == [
                "\(start) A.x references itself via the default values of: A.y. (2:18, 2:35)"
            ])
    }

    @Test func aCircularDefaultDoesNotHangWhenAssumedValid() throws {
        let document = try parse(Source("type Query { q(a: A = {}): Int } input A { a: A = {} }"))
        let schema = try buildSchema(document, assumeValid: true)
        #expect(schema.type(named: "Query")?.field(named: "q")?.argument(named: "a")?.defaultValue == nil)
    }
}

import Testing

@testable import GraphQL

@Suite struct SecretTests {
    private let schema: Schema

    init() throws {
        schema = try buildSchema(
            try parse(
                Source(
                    """
                    directive @sensitive on INPUT_FIELD_DEFINITION
                    type Query { open(in: Door): Int }
                    input Door { name: String code: String @sensitive within: Door }
                    """)))
    }

    private func input(_ literal: String, _ variables: [String: InputValue] = [:]) throws -> InputObject {
        let document = try parse(Source("{ open(in: \(literal)) }"))
        guard case .operation(let operation) = document.definitions[0],
            case .field(let field) = operation.selectionSet.selections[0],
            let definition = schema[schema.queryType].field(named: "open")
        else { return InputObject() }
        return try coerceArgumentValues(schema, definition.arguments, field.arguments, variables).decode("in")
    }

    private func variable(_ fields: [(name: String, value: InputValue)]) throws -> InputObject {
        var coercion = InputCoercion(schema: schema, maximum: 1)
        let type = try #require(schema.typeIndex(named: "Door"))
        return try InputObject(inputValue: try coercion.coerce(.object(InputObject(fields)), .named(type)))
    }

    @Test func aSensitiveFieldDecodesAsASecretAlone() throws {
        for input in [
            try input(#"{name: "front", code: "1234"}"#),
            try input(#"{name: "front", code: $code}"#, ["code": .string("1234")]),
            try variable([("name", .string("front")), ("code", .string("1234"))]),
        ] {
            #expect(try input.decode(Secret.self, "code") == Secret("1234"))
            #expect(try input.decode(Secret?.self, "code")?.text == "1234")
            #expect(throws: InputDecodingError.mismatch(expected: "String")) { try input.decode(String.self, "code") }
            #expect(throws: InputDecodingError.mismatch(expected: "Secret")) { try input.decode(Secret.self, "name") }
        }
        for input in [try input(#"{code: null}"#), try variable([("code", .null)])] {
            #expect(try input.decode(Secret?.self, "code") == nil)
        }
    }

    @Test func isLeftOutWhereItIsNotToBeKept() throws {
        let input = try input(#"{name: "front", code: "1234", within: {name: "gate", code: null}}"#)
        var json = JSONWriter(capacity: 64)
        json.write(input.withoutSecrets)
        #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"name":"front","within":{"name":"gate"}}"#)
        var whole = JSONWriter(capacity: 64)
        whole.write(input)
        #expect(!String(decoding: whole.bytes, as: UTF8.self).contains("1234"))
        #expect(!"\(input)".contains("1234"))
        #expect(!InputValue.object(input).inspection.contains("1234"))
    }

    @Test func theSchemaSaysSo() {
        #expect(printSchema(schema).contains("code: String @sensitive"))
        let introspected = schema.directives.map(\.name)
        #expect(introspected.contains("sensitive"))
    }
}

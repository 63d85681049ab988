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
                    type Query { open(in: Door): Int turn(key: Key): Int }
                    input Door { name: String code: String @sensitive within: Door }
                    input Key { shape: String! code: String @sensitive }
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

    @Test func errorsOfArgumentsDoNotTellIt() throws {
        let document = try parse(Source(#"{ turn(key: {shape: $shape, code: "hunter2"}) }"#))
        guard case .operation(let operation) = document.definitions[0],
            case .field(let field) = operation.selectionSet.selections[0],
            let definition = schema[schema.queryType].field(named: "turn")
        else {
            Issue.record("The document has another form.")
            return
        }
        let error = #expect(throws: ArgumentError.self) {
            try coerceArgumentValues(schema, definition.arguments, field.arguments, ["shape": .null])
        }
        #expect(error?.message == "Argument \"key\" has an invalid value.")
    }

    private func messages(_ variables: InputValue) throws -> [String] {
        let source = Source("query ($in: Door) { open(in: $in) }")
        guard case .operation(let operation) = try parse(source).definitions[0] else { return [] }
        do {
            _ = try coerceVariableValues(
                schema, operation.variableDefinitions, InputObject([("in", variables)]), source: source)
            return []
        } catch { return error.errors.map(\.message) }
    }

    @Test func errorsOfVariablesDoNotTellIt() throws {
        let secret = InputValue.string("hunter2")
        let inputs: [InputValue] = [
            // Beside another error, within another object, and instead of an object.
            .object(InputObject([("code", secret), ("key", .int(1))])),
            .object(
                InputObject([
                    ("name", .int(1)), ("within", .object(InputObject([("code", secret), ("key", .int(1))]))),
                ])),
            .object(InputObject([("key", .int(1)), ("within", .object(InputObject([("code", secret)])))])),
            .list([.object(InputObject([("code", secret)]))]),
            // A misspelt name, and a value that is no string.
            .object(InputObject([("kode", secret)])),
            .object(InputObject([("code", .list([secret]))])),
        ]
        for input in inputs {
            let messages = try messages(input)
            #expect(!messages.isEmpty)
            for message in messages { #expect(!message.contains("hunter2"), "\(message)") }
        }
        #expect(
            try messages(.object(InputObject([("code", .int(1234))]))) == [
                #"Variable "$in" got invalid value *** at "in.code"; Expected value of type "String"."#
            ])
        #expect(
            try messages(.object(InputObject([("name", .string("front")), ("code", secret), ("key", .int(1))]))) == [
                #"Variable "$in" got invalid value { name: "front", code: ***, key: *** }; "#
                    + #"Field "key" is not defined by type "Door"."#
            ])
    }

    @Test func errorsOfLiteralsDoNotTellIt() throws {
        let document = try parse(Source("{ open(in: {code: 1234, within: {code: [hunter2]}}) }"))
        let messages = validate(document, against: schema).map(\.message)
        #expect(messages == Array(repeating: #"Expected value of type "String"."#, count: 2))
    }

    @Test func defaultsAndListsAreSecrets() throws {
        let schema = try buildSchema(
            try parse(
                Source(
                    """
                    directive @sensitive on INPUT_FIELD_DEFINITION
                    type Query { open(in: Safe): Int }
                    input Safe { code: String = "0000" @sensitive codes: [String!] @sensitive }
                    """)))
        let type = TypeReference.named(try #require(schema.typeIndex(named: "Safe")))
        var coercion = InputCoercion(schema: schema, maximum: 1)
        let codes = InputValue.object(InputObject([("codes", .list([.string("1"), .string("2")]))]))
        let input = try InputObject(inputValue: try coercion.coerce(codes, type))
        #expect(try input.decode(Secret.self, "code").text == "0000")
        #expect(try input.decode([Secret].self, "codes").map(\.text) == ["1", "2"])
        #expect(!InputValue.object(input).inspection.contains("0000"))
        let literal = try parse(Source("{ open(in: {}) }"))
        guard case .operation(let operation) = literal.definitions[0],
            case .field(let field) = operation.selectionSet.selections[0],
            let definition = schema[schema.queryType].field(named: "open")
        else { return }
        let inline: InputObject = try coerceArgumentValues(schema, definition.arguments, field.arguments, [:]).decode(
            "in")
        #expect(try inline.decode(Secret.self, "code").text == "0000")
    }

    @Test func theSchemaSaysSo() {
        #expect(printSchema(schema).contains("code: String @sensitive"))
        let introspected = schema.directives.map(\.name)
        #expect(introspected.contains("sensitive"))
    }
}

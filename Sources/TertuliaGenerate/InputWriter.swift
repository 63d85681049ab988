import GraphQL

/// Writes enums and input types, and the variables of operations, whose types follow the same rules.
struct InputWriter {
    let schema: Schema
    let mapping: TypeMapping
    /// `public ` or nothing.
    let access: String

    /// A property of an input type, or a variable.
    struct Value {
        var name: String
        /// The property's name as it is written.
        var property: String
        var description: String?
        var type: String
        /// The default of the initializer's parameter; nil where a value has to be given.
        var defaultValue: String?
    }

    func variables(of operation: OperationDefinition) -> [Value] {
        let variables = operation.variableDefinitions
        let scope = NameScope(reserved: SwiftName.reservedInOperations, mapping.names.fragmentTypes)
        return zip(variables, properties(variables.map(\.name.value), in: scope)).compactMap { variable, property in
            schema.reference(variable.type).map {
                value(
                    variable.name.value, property, $0, default: variable.defaultValue,
                    description: variable.description?.value)
            }
        }
    }

    private func fields(of input: InputObjectType) -> [Value] {
        zip(input.fields, properties(of: input)).map { field, property in
            value(field.name, property, field.type, default: field.defaultLiteral, description: field.description)
        }
    }

    private func properties(of input: InputObjectType) -> [String] {
        properties(input.fields.map(\.name), in: NameScope(reserved: SwiftName.reservedInInputs))
    }

    private func properties(_ names: [String], in scope: NameScope) -> [String] {
        var scope = scope
        return scope.claim(names.map(SwiftName.member), suffix: "_").map(SwiftName.written)
    }

    /// - Parameter literal: the default that the schema or the operation has.
    private func value(
        _ name: String, _ property: String, _ type: TypeReference, default literal: GraphQL.Value?, description: String?
    ) -> Value {
        let named = mapping.leaf(type.namedType)
        var value = Value(
            name: name, property: property, description: description, type: mapping.type(type, named: named))
        guard type.isNonNull else {
            value.type = "Given<\(mapping.type(.nonNull(type), named: named))>"
            value.defaultValue = ".absent"
            return value
        }
        guard let literal else { return value }
        value.defaultValue = swiftLiteral(literal, type.nullable)
        if value.defaultValue == nil {
            value.type = "Given<\(value.type)>"
            value.defaultValue = ".absent"
        }
        return value
    }

    /// A default as Swift writes it; nil where it is an input object, a custom scalar or a number that its type does not
    /// hold: the server then applies it.
    private func swiftLiteral(_ literal: GraphQL.Value, _ type: TypeReference) -> String? {
        if case .list(let item) = type {
            guard case .list(let values) = literal.kind else { return nil }
            let items = values.map { value -> String? in
                let written = swiftLiteral(value, item.nullable)
                // In a list of optional values `.none` would be Swift's.
                if !item.isNonNull, case .enumeration = value.kind { return written.map { ".some(\($0))" } }
                return written
            }
            if items.contains(nil) { return nil }
            return "[" + items.compactMap { $0 }.joined(separator: ", ") + "]"
        }
        if case .enumeration(let name) = literal.kind {
            guard case .enumeration(let type) = schema[type.namedType] else { return nil }
            return SwiftName.enumCases(type.values.map(\.name))[name].map { "." + SwiftName.written($0) }
        }
        switch (literal.kind, mapping.leaf(type.namedType)) {
        case (.int(let digits), "Int"): return Int(digits) == nil ? nil : digits
        case (.int(let digits), "Double"): return Int(digits).flatMap(Double.init(exactly:)) == nil ? nil : digits
        case (.float(let digits), "Double"): return SwiftText.isDouble(digits) ? digits : nil
        case (.boolean(let value), "Bool"): return "\(value)"
        case (.string(let text), "String"): return SwiftText.literal(text.value)
        default: return nil
        }
    }

    func writeProperties(_ values: [Value], to text: inout SwiftText) {
        for value in values {
            text.comment(value.description)
            text.line("\(access)var \(value.property): \(value.type)")
        }
    }

    func writeInitializer(_ values: [Value], to text: inout SwiftText) {
        guard !values.isEmpty else {
            text.line("\(access)init() {}")
            return
        }
        text.line("\(access)init(")
        text.indented { text in
            for (index, value) in values.enumerated() {
                let standard = value.defaultValue.map { " = \($0)" } ?? ""
                let comma = index == values.count - 1 ? "" : ","
                text.line("\(value.property): \(value.type)\(standard)\(comma)")
            }
        }
        text.block(")") { text in
            for value in values { text.line("self.\(value.property) = \(value.property)") }
        }
    }

    /// - Parameter property: `inputFields` or `variableFields`.
    func writeFields(_ values: [Value], property: String, to text: inout SwiftText) {
        text.block("\(access)var \(property): [InputField]") { text in
            guard !values.isEmpty else { return text.line("[]") }
            text.line("[")
            text.indented { text in
                for value in values {
                    text.line("InputField(\(SwiftText.literal(value.name)), \(value.property)),")
                }
            }
            text.line("]")
        }
    }

    func write(_ input: InputObjectType, to text: inout SwiftText) {
        text.comment(input.description)
        if input.isOneOf { return writeOneOf(input, to: &text) }
        let values = fields(of: input)
        text.block("\(access)struct \(typeName(input.name)): InputObjectValue") { text in
            writeProperties(values, to: &text)
            text.line()
            writeInitializer(values, to: &text)
            text.line()
            writeFields(values, property: "inputFields", to: &text)
        }
    }

    /// Spec: 3.10.1 OneOf Input Objects
    private func writeOneOf(_ input: InputObjectType, to text: inout SwiftText) {
        let names = properties(of: input)
        text.block("\(access)indirect enum \(typeName(input.name)): InputObjectValue") { text in
            for (field, name) in zip(input.fields, names) {
                text.comment(field.description)
                let type = mapping.type(.nonNull(field.type.nullable), named: mapping.leaf(field.namedType))
                text.line("case \(name)(\(type))")
            }
            text.line()
            text.block("\(access)var inputFields: [InputField]") { text in
                text.line("switch self {")
                for (field, name) in zip(input.fields, names) {
                    text.line("case .\(name)(let value): [InputField(\(SwiftText.literal(field.name)), value)]")
                }
                text.line("}")
            }
        }
    }

    /// The name of an enum or an input type as it is written.
    private func typeName(_ name: String) -> String { SwiftName.written(mapping.names.schemaType(name)) }

    func write(_ type: EnumType, to text: inout SwiftText) {
        let names = SwiftName.enumCases(type.values.map(\.name))
        let cases = type.values.map { (value: $0, name: SwiftName.written(names[$0.name] ?? $0.name)) }
        let typeName = typeName(type.name)
        text.comment(type.description)
        text.block("\(access)enum \(typeName): GraphQLEnum") { text in
            for (value, name) in cases {
                text.comment(value.description)
                text.line("case \(name)")
            }
            text.line("/// A value that the schema did not have when this was generated.")
            text.line("case unknown(String)")
            text.line()
            let all = cases.map { ".\($0.name)" }.joined(separator: ", ")
            text.line("\(access)static let allCases: [\(typeName)] = [\(all)]")
            text.line()
            text.block("\(access)init(rawValue: String)") { text in
                text.line("switch rawValue {")
                for (value, name) in cases {
                    text.line("case \(SwiftText.literal(value.name)): self = .\(name)")
                }
                text.line("default: self = .unknown(rawValue)")
                text.line("}")
            }
            text.line()
            text.block("\(access)var rawValue: String") { text in
                text.line("switch self {")
                for (value, name) in cases {
                    text.line("case .\(name): \(SwiftText.literal(value.name))")
                }
                text.line("case .unknown(let value): value")
                text.line("}")
            }
        }
    }
}

extension InputValueType {
    /// The type inside all wrappers.
    var namedType: TypeIndex { type.namedType }
}

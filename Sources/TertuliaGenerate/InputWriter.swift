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
        var description: String?
        var type: String
        /// The default of the initializer's parameter; nil where a value has to be given.
        var defaultValue: String?
        /// The value that is sent where none is given; nil where the name is then left out.
        var sentDefault: GraphQL.Value?
        /// True if the type is a `Given`.
        var isGiven = false
    }

    /// A variable of an operation. Its default is sent, if not by the initializer then where the value is absent: the
    /// store finds records by the variables that are sent, and knows no others.
    func variable(_ definition: VariableDefinition) -> Value? {
        schema.reference(definition.type).map { type in
            var value = value(
                definition.name.value, type, default: definition.defaultValue,
                description: definition.description?.value)
            if value.isGiven { value.sentDefault = definition.defaultValue }
            return value
        }
    }

    /// - Parameter literal: the default that the schema or the operation has.
    private func value(
        _ name: String, _ type: TypeReference, default literal: GraphQL.Value?, description: String?
    ) -> Value {
        let named = mapping.leaf(type.namedType)
        func given(_ type: String) -> Value {
            Value(
                name: name, description: description, type: "Given<\(type)>", defaultValue: ".absent", isGiven: true)
        }
        guard type.isNonNull else {
            let plain = mapping.type(.nonNull(type), named: named)
            return given(plain)
        }
        let swift = mapping.type(type, named: named)
        guard let literal else { return Value(name: name, description: description, type: swift) }
        if let written = swiftLiteral(literal, type.nullable) {
            return Value(name: name, description: description, type: swift, defaultValue: written)
        }
        return given(swift)
    }

    /// A default as a Swift literal; nil for a default without one, such as an input object or a value of most custom
    /// scalars: the server then applies the default.
    private func swiftLiteral(_ literal: GraphQL.Value, _ type: TypeReference) -> String? {
        if case .list(let item) = type {
            guard case .list(let values) = literal.kind else { return nil }
            let items = values.map { swiftLiteral($0, item.nullable) }
            if items.contains(nil) { return nil }
            return "[" + items.compactMap { $0 }.joined(separator: ", ") + "]"
        }
        switch (literal.kind, mapping.leaf(type.namedType)) {
        case (.int(let digits), "Int"), (.int(let digits), "Double"), (.float(let digits), "Double"): return digits
        case (.boolean(let value), "Bool"): return "\(value)"
        case (.string(let text), "String"): return SwiftText.literal(text.value)
        case (.enumeration(let name), _):
            guard case .enumeration(let enumeration) = schema[type.namedType] else { return nil }
            return enumeration.cases.first { $0.value.name == name }.map { "." + $0.name }
        default: return nil
        }
    }

    func writeProperties(_ values: [Value], to text: inout SwiftText) {
        for value in values {
            text.comment(value.description)
            text.line("\(access)var \(SwiftName.property(value.name)): \(value.type)")
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
                text.line("\(SwiftName.property(value.name)): \(value.type)\(standard)\(comma)")
            }
        }
        text.block(")") { text in
            for value in values {
                let name = SwiftName.property(value.name)
                text.line("self.\(name) = \(name)")
            }
        }
    }

    /// - Parameter property: `inputFields` or `variableFields`.
    func writeFields(_ values: [Value], property: String, to text: inout SwiftText) {
        text.block("\(access)var \(property): [InputField]") { text in
            guard !values.isEmpty else { return text.line("[]") }
            text.line("[")
            text.indented { text in
                for value in values {
                    let standard = value.sentDefault.map { ", default: \($0.argumentCode)" } ?? ""
                    text.line(
                        "InputField(\(SwiftText.literal(value.name)), \(SwiftName.property(value.name))\(standard)),")
                }
            }
            text.line("]")
        }
    }

    func write(_ input: InputObjectType, to text: inout SwiftText) {
        text.comment(input.description)
        if input.isOneOf { return writeOneOf(input, to: &text) }
        let values = input.fields.map {
            value($0.name, $0.type, default: $0.defaultLiteral, description: $0.description)
        }
        text.block("\(access)struct \(input.name): InputObjectValue") { text in
            writeProperties(values, to: &text)
            text.line()
            writeInitializer(values, to: &text)
            text.line()
            writeFields(values, property: "inputFields", to: &text)
        }
    }

    /// Spec: 3.10.1 OneOf Input Objects
    private func writeOneOf(_ input: InputObjectType, to text: inout SwiftText) {
        text.block("\(access)indirect enum \(input.name): InputObjectValue") { text in
            for field in input.fields {
                text.comment(field.description)
                let type = mapping.type(.nonNull(field.type.nullable), named: mapping.leaf(field.namedType))
                text.line("case \(SwiftName.property(field.name))(\(type))")
            }
            text.line()
            text.block("\(access)var inputFields: [InputField]") { text in
                text.line("switch self {")
                for field in input.fields {
                    let name = SwiftName.property(field.name)
                    text.line("case .\(name)(let value): [InputField(\(SwiftText.literal(field.name)), value)]")
                }
                text.line("}")
            }
        }
    }

    func write(_ type: EnumType, to text: inout SwiftText) {
        let cases = type.cases
        text.comment(type.description)
        text.block("\(access)enum \(type.name): GraphQLEnum") { text in
            for (value, name) in cases {
                text.comment(value.description)
                text.line("case \(name)")
            }
            text.line("/// A value that the schema did not have when this was generated.")
            text.line("case unknown(String)")
            text.line()
            let all = cases.map { ".\($0.name)" }.joined(separator: ", ")
            text.line("\(access)static let allCases: [\(type.name)] = [\(all)]")
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

extension EnumType {
    /// The values with the names of their Swift cases.
    fileprivate var cases: [(value: EnumValue, name: String)] {
        Array(zip(values, SwiftName.enumCases(values.map(\.name))))
    }
}

extension InputValueType {
    /// The type inside all wrappers.
    var namedType: TypeIndex { type.namedType }
}

/// Coerces literals, with variables inside them, to input types.
/// Spec: 3.4.2 Input and Output Types, "Input Coercion" of each kind of type
struct LiteralCoercion {
    let schema: Schema
    var variables: [String: InputValue] = [:]
    /// True where the defaults of input fields are coerced from their literals: a schema that is still being built has
    /// no coerced defaults yet.
    var readsDefaultLiterals = false

    /// - Throws: an error about one part of the literal that does not fit.
    func coerce(_ value: Value, _ type: TypeReference) throws(CoercionError) -> InputValue {
        if case .variable(let name) = value.kind { return try coerceVariable(name, type) }
        switch type {
        case .nonNull(let nullable):
            if case .null = value.kind {
                throw CoercionError("Expected value of type \"\(schema.notation(of: type))\", found null.")
            }
            return try coerce(value, nullable)
        case .list(let item):
            if case .null = value.kind { return .null }
            guard case .list(let items) = value.kind else { return .list([try coerce(value, item)]) }
            return .list(try items.map { (value) throws(CoercionError) in try coerceItem(value, item) })
        case .named(let index):
            if case .null = value.kind { return .null }
            return try coerce(value, schema[index])
        }
    }

    /// A variable's value is already coerced to the type that the operation declares, and validation has found that
    /// this type is allowed here.
    private func coerceVariable(_ name: String, _ type: TypeReference) throws(CoercionError) -> InputValue {
        guard let value = variables[name] else {
            throw CoercionError("Variable \"$\(name)\" was not provided a runtime value.")
        }
        if value == .null, type.isNonNull {
            throw CoercionError("Expected value of type \"\(schema.notation(of: type))\", found null.")
        }
        return value
    }

    private func coerceItem(_ value: Value, _ type: TypeReference) throws(CoercionError) -> InputValue {
        if value.isMissing(from: variables), !type.isNonNull { return .null }
        return try coerce(value, type)
    }

    private func coerce(_ value: Value, _ type: NamedType) throws(CoercionError) -> InputValue {
        switch type {
        case .scalar(let scalar): try scalar.coerceLiteral(value, variables: variables)
        case .enumeration(let enumeration): try enumeration.coerceLiteral(value)
        case .inputObject(let inputObject): .object(try coerce(value, inputObject))
        case .object, .interface, .union:
            throw CoercionError("\"\(type.name)\" cannot be used as an input type.")
        }
    }

    /// Spec: 3.10 Input Objects, "Input Coercion"
    private func coerce(_ value: Value, _ type: InputObjectType) throws(CoercionError) -> InputObject {
        guard case .object(let nodes) = value.kind else {
            throw CoercionError("Expected value of type \"\(type.name)\", found \(value.printed).")
        }
        var coerced = InputObject()
        for field in type.fields {
            let node = nodes.first { $0.name.value == field.name }
            if let node, !node.value.isMissing(from: variables) {
                coerced.fields.append((field.name, field.sealed(try coerce(node.value, field.type))))
            } else if let defaultValue = try defaultValue(of: field) {
                coerced.fields.append((field.name, field.sealed(defaultValue)))
            } else if field.type.isNonNull {
                throw CoercionError(
                    "Field \"\(type.name).\(field.name)\" of required type \"\(schema.notation(of: field.type))\" "
                        + "was not provided.")
            }
        }
        if let unknown = nodes.first(where: { type.field(named: $0.name.value) == nil }) {
            throw CoercionError(type.undefinedFieldMessage(unknown.name.value))
        }
        if type.isOneOf, coerced.fields.count != 1 || coerced.fields[0].value.isNull {
            throw CoercionError("Exactly one key must be specified for OneOf type \"\(type.name)\".")
        }
        return coerced
    }

    private func defaultValue(of field: InputValueType) throws(CoercionError) -> InputValue? {
        guard readsDefaultLiterals, let literal = field.defaultLiteral else { return field.defaultValue }
        return try coerce(literal, field.type)
    }
}

extension InputValue {
    /// The value of a literal without a type, as a custom scalar receives it. A variable without a value is left out of
    /// an object, and is null in a list.
    init(literal: Value, variables: [String: InputValue] = [:]) {
        switch literal.kind {
        case .variable(let name): self = variables[name] ?? .null
        case .int(let digits):
            self = Int(digits).map(InputValue.int) ?? Double(digits).map(InputValue.float) ?? .string(digits)
        case .float(let digits): self = Double(digits).map(InputValue.float) ?? .string(digits)
        case .string(let string): self = .string(string.value)
        case .boolean(let boolean): self = .boolean(boolean)
        case .null: self = .null
        case .enumeration(let name): self = .enumeration(name)
        case .list(let items): self = .list(items.map { InputValue(literal: $0, variables: variables) })
        case .object(let fields):
            self = .object(
                InputObject(
                    fields.filter { !$0.value.isMissing(from: variables) }.map {
                        ($0.name.value, InputValue(literal: $0.value, variables: variables))
                    }))
        }
    }
}

extension Value {
    /// True where the literal is a variable without a value.
    func isMissing(from variables: [String: InputValue]) -> Bool {
        if case .variable(let name) = kind { variables[name] == nil } else { false }
    }
}

extension ScalarType {
    /// - Throws: a sentence that tells why the literal is no value of this scalar.
    func coerceLiteral(_ value: Value, variables: [String: InputValue] = [:]) throws(CoercionError) -> InputValue {
        if let coerceLiteral = coercion.coerceLiteral { return try coerceLiteral(value) }
        return try coercion.coerceInput(InputValue(literal: value, variables: variables))
    }
}

/// Spec: 3.9 Enums, "Input Coercion"
extension EnumType {
    func coerceLiteral(_ value: Value) throws(CoercionError) -> InputValue {
        guard case .enumeration(let name) = value.kind else {
            let text = value.printed
            throw CoercionError(
                "Enum \"\(self.name)\" cannot represent non-enum value: \(text)." + suggestions(for: text))
        }
        return try coerce(name)
    }

    func coerceInput(_ value: InputValue) throws(CoercionError) -> InputValue {
        switch value {
        case .string(let name), .enumeration(let name): return try coerce(name)
        case .null, .int, .float, .boolean, .list, .object, .upload, .secret:
            let text = value.inspection
            throw CoercionError(
                "Enum \"\(name)\" cannot represent non-string value: \(text)." + suggestions(for: text))
        }
    }

    private func coerce(_ name: String) throws(CoercionError) -> InputValue {
        guard valuesByName[name] != nil else {
            throw CoercionError("Value \"\(name)\" does not exist in \"\(self.name)\" enum." + suggestions(for: name))
        }
        return .enumeration(name)
    }

    private func suggestions(for text: String) -> String {
        didYouMean(suggestionList(text, values.map(\.name)), "the enum value")
    }
}

extension InputObjectType {
    func undefinedFieldMessage(_ field: String) -> String {
        "Field \"\(field)\" is not defined by type \"\(name)\"." + didYouMean(suggestionList(field, fields.map(\.name)))
    }
}

/// The error of a literal where a scalar or an enum is expected; nil where it fits.
/// Spec: 3.5 Scalars and 3.9 Enums, "Input Coercion"
extension ScalarType {
    func literalError(_ value: Value, expected: @autoclosure () -> String) -> String? {
        let isBuiltIn = coercion.coerceLiteral != nil
        // While a document is validated, a variable inside a custom scalar's literal has no value.
        if !isBuiltIn, value.hasVariables { return nil }
        do throws(CoercionError) {
            _ = try coerceLiteral(value)
            return nil
        } catch {
            if isBuiltIn { return error.message }
            return "Expected value of type \"\(expected())\", found \(value.printed); \(error.message)"
        }
    }
}

extension EnumType {
    func literalError(_ value: Value, _ context: ValidationContext) -> String? {
        if case .enumeration(let name) = value.kind {
            if valuesByName[name] != nil { return nil }
            return "Value \"\(name)\" does not exist in \"\(self.name)\" enum." + suggestion(name, context)
        }
        let text = value.printed
        return "Enum \"\(name)\" cannot represent non-enum value: \(text)." + suggestion(text, context)
    }

    private func suggestion(_ text: String, _ context: ValidationContext) -> String {
        context.didYouMean(suggestionList(text, values.map(\.name)), "the enum value")
    }
}

extension Value {
    fileprivate var hasVariables: Bool {
        switch kind {
        case .variable: true
        case .list(let items): items.contains(where: \.hasVariables)
        case .object(let fields): fields.contains(where: \.value.hasVariables)
        case .int, .float, .string, .boolean, .null, .enumeration: false
        }
    }
}

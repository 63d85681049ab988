extension InputValue {
    /// A literal without a type, as a custom scalar gets it. Absent variables are absent fields, and null in lists.
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
    /// Whether it is a variable without a runtime value.
    func isMissing(from variables: [String: InputValue]) -> Bool {
        if case .variable(let name) = kind { variables[name] == nil } else { false }
    }
}

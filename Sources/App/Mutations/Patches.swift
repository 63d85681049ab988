import GraphQL

extension InputObject {
    /// A field of an update that cannot be cleared. nil, for an absent field, leaves the value unchanged.
    /// - Throws: BAD_USER_INPUT for null.
    func patch<Value: InputDecodable>(_ type: Value.Type, _ name: String) throws -> Value? {
        switch try decode(Patch<Value>.self, name) {
        case .absent: return nil
        case .value(let value): return value
        case .null: throw ExecutionError("\(name) cannot be cleared.", code: .badUserInput)
        }
    }
}

extension Patch {
    var isPresent: Bool { if case .absent = self { false } else { true } }
    var value: Value? { if case .value(let value) = self { value } else { nil } }
}

extension InputText {
    /// An optional text of an update. An empty text clears the value.
    mutating func patch(_ text: Patch<String>, _ field: String, _ name: String, maximum: Int) -> Patch<String> {
        guard case .value(let value) = text else { return text }
        return optional(value, field, name, maximum: maximum).map(Patch.value) ?? .null
    }
}

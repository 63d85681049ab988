import GraphQL

extension InputObject {
    /// A field of an update whose output is never null: absent leaves it, null is refused.
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
    /// An optional text of an update: empty clears it.
    mutating func patch(_ text: Patch<String>, _ field: String, _ name: String, maximum: Int) -> Patch<String> {
        guard case .value(let value) = text else { return text }
        return optional(value, field, name, maximum: maximum).map(Patch.value) ?? .null
    }
}

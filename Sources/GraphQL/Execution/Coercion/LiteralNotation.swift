/// A literal as error messages show it.
func printed(_ value: Value) -> String {
    switch value.kind {
    case .variable(let name): "$\(name)"
    case .int(let digits), .float(let digits): digits
    case .string(let string): string.value.jsonNotation
    case .boolean(let boolean): "\(boolean)"
    case .null: "null"
    case .enumeration(let name): name
    case .list(let items): "[\(items.map(printed).joined(separator: ", "))]"
    case .object(let fields):
        "{\(fields.map { "\($0.name.value): \(printed($0.value))" }.joined(separator: ", "))}"
    }
}

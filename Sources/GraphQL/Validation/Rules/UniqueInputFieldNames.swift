/// Spec: 5.6.3 Input Object Field Uniqueness
struct UniqueInputFieldNames: ValidationRule {
    /// The fields seen in each object that encloses the current field, those of the innermost object last.
    private var known: [[String: Location]] = []

    mutating func enter(_ value: Value, _ context: inout ValidationContext) {
        if case .object = value.kind { known.append([:]) }
    }

    mutating func leave(_ value: Value, _ context: inout ValidationContext) {
        if case .object = value.kind { known.removeLast() }
    }

    mutating func enter(_ field: ObjectField, _ context: inout ValidationContext) {
        let name = field.name
        if let first = known[known.count - 1][name.value] {
            context.report(Self.repeated(name.value), at: first, name.location)
        } else {
            known[known.count - 1][name.value] = name.location
        }
    }

    static func repeated(_ name: String) -> String { "There can be only one input field named \"\(name)\"." }
}

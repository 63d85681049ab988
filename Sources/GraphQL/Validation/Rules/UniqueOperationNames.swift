/// Spec: 5.2.2.1 Operation Name Uniqueness
struct UniqueOperationNames: ValidationRule {
    private var known: [String: Location] = [:]

    mutating func enter(_ operation: OperationDefinition, _ context: inout ValidationContext) {
        guard let name = operation.name else { return }
        if let first = known[name.value] {
            context.report("There can be only one operation named \"\(name.value)\".", at: first, name.location)
        } else {
            known[name.value] = name.location
        }
    }
}

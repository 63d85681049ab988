/// Spec: 5.8.4 All Variables Used
struct NoUnusedVariables: ValidationRule {
    /// For each operation, in document order, the place of its errors in the order of all errors.
    private var ordinals: [Int32] = []

    mutating func leave(_ operation: OperationDefinition, _ context: inout ValidationContext) {
        ordinals.append(context.reserveOrdinal())
    }

    func leave(_ document: Document, _ context: inout ValidationContext) {
        for (operation, ordinal) in zip(context.index.operations, ordinals)
        where !operation.definition.variableDefinitions.isEmpty {
            var used = [Bool](repeating: false, count: context.index.names.count)
            context.forEachVariableUsage(in: operation) { usage, _, _ in used[Int(usage.name)] = true }
            let subject = operation.definition.name.map { " in operation \"\($0.value)\"" } ?? ""
            var reported = 0
            for (name, definition) in zip(operation.variables, operation.definition.variableDefinitions)
            where !used[Int(name)] && reported <= context.options.maximumErrors {
                reported += 1
                context.report(
                    "Variable \"$\(definition.name.value)\" is never used\(subject).", at: [definition.location],
                    ordinal: ordinal)
            }
        }
    }
}

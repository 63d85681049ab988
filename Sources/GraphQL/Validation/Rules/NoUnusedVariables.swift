/// Spec: 5.8.4 All Variables Used
struct NoUnusedVariables: ValidationRule {
    /// By operation, where its errors stand in their order.
    private var ordinals: [Int32] = []

    mutating func leave(_ operation: OperationDefinition, _ context: inout ValidationContext) {
        ordinals.append(context.reserveOrdinal())
    }

    func leave(_ document: Document, _ context: inout ValidationContext) {
        for (operation, ordinal) in zip(context.index.operations, ordinals)
        where !operation.definition.variableDefinitions.isEmpty {
            var used: Set<Int32> = []
            context.forEachVariableUsage(in: operation) { usage, _, _ in used.insert(usage.name) }
            let subject = operation.definition.name.map { " in operation \"\($0.value)\"" } ?? ""
            for definition in operation.definition.variableDefinitions.prefix(10_000)
            where !used.contains(context.index.names.id(of: definition.name.value)) {
                context.report(
                    "Variable \"$\(definition.name.value)\" is never used\(subject).", at: [definition.location],
                    ordinal: ordinal)
            }
        }
    }
}

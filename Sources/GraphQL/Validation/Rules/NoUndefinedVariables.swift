/// Spec: 5.8.3 All Variable Uses Defined
struct NoUndefinedVariables: ValidationRule {
    /// For each operation, the place that is reserved for its errors, in the order in which the walk leaves them.
    private var ordinals: [Int32] = []

    mutating func leave(_ operation: OperationDefinition, _ context: inout ValidationContext) {
        ordinals.append(context.reserveOrdinal())
    }

    func leave(_ document: Document, _ context: inout ValidationContext) {
        for (operation, ordinal) in zip(context.index.operations, ordinals) {
            var defined = [Bool](repeating: false, count: context.index.names.count)
            for name in operation.variables { defined[Int(name)] = true }
            let subject = operation.definition.name.map { " by operation \"\($0.value)\"" } ?? ""
            var reported = 0
            context.forEachVariableUsage(in: operation) { usage, _, context in
                if defined[Int(usage.name)] || reported > context.options.maximumErrors { return }
                reported += 1
                let name = context.index.names.name(usage.name)
                context.report(
                    "Variable \"$\(name)\" is not defined\(subject).",
                    at: [usage.location, operation.definition.location], ordinal: ordinal)
            }
        }
    }
}

/// Spec: 5.2.1.1 Operation Type Existence
struct KnownOperationTypes: ValidationRule {
    func enter(_ operation: OperationDefinition, _ context: inout ValidationContext) {
        guard context.schema.rootType(for: operation.operation) == nil else { return }
        context.report(
            "The \(operation.operation.rawValue) operation is not supported by the schema.", at: operation.location)
    }
}

/// Spec: 5.2.3.1 Lone Anonymous Operation
struct LoneAnonymousOperation: ValidationRule {
    private var hasSeveralOperations = false

    mutating func enter(_ document: Document, _ context: inout ValidationContext) {
        let operations = document.definitions.lazy.filter { if case .operation = $0 { true } else { false } }
        hasSeveralOperations = operations.prefix(2).count > 1
    }

    func enter(_ operation: OperationDefinition, _ context: inout ValidationContext) {
        guard operation.name == nil, hasSeveralOperations else { return }
        context.report("This anonymous operation must be the only defined operation.", at: operation.location)
    }
}

/// Spec: incremental delivery, 5.7.5 Defer And Stream Directives Are Used On Valid Operations
struct DeferStreamDirectiveOnValidOperations: ValidationRule {
    private struct Usage {
        let directive: Directive
        let ordinal: Int32
    }

    private enum Definition: Hashable { case operation(Int), fragment(Int) }

    /// The directives without a variable or `false` as their `if`, by the operation or fragment that contains them.
    private var usages: [Definition: [Usage]] = [:]
    private var definition = Definition.operation(-1)
    private var operationCount = 0
    private var fragmentCount = 0

    mutating func enter(_ operation: OperationDefinition, _ context: inout ValidationContext) {
        definition = .operation(operationCount)
        operationCount += 1
    }

    mutating func enter(_ fragment: FragmentDefinition, _ context: inout ValidationContext) {
        definition = .fragment(fragmentCount)
        fragmentCount += 1
    }

    mutating func enter(_ directive: Directive, at location: DirectiveLocation, _ context: inout ValidationContext) {
        guard directive.isDeferOrStream else { return }
        switch directive.arguments.first(where: { $0.name.value == "if" })?.value.kind {
        case .variable, .boolean(false): return
        default:
            let usage = Usage(directive: directive, ordinal: context.reserveOrdinal())
            usages[definition, default: []].append(usage)
        }
    }

    func leave(_ document: Document, _ context: inout ValidationContext) {
        if usages.isEmpty { return }
        var reached: Set<Definition> = []
        for (position, operation) in context.index.operations.enumerated()
        where operation.definition.operation == .subscription {
            reached.insert(.operation(position))
            for fragment in context.index.fragments(reachableFrom: operation) { reached.insert(.fragment(fragment)) }
        }
        for usage in reached.flatMap({ usages[$0] ?? [] }).sorted(by: { $0.ordinal < $1.ordinal }) {
            context.report(
                "\(usage.directive.capitalizedName) directive not supported on subscription operations. Disable "
                    + "`@\(usage.directive.name.value)` by setting the `if` argument to `false`.",
                at: [usage.directive.location], ordinal: usage.ordinal)
        }
    }
}

/// A rule of the specification's section 5. All rules hear of each node in one traversal of the document, so that their
/// errors come in document order; `ValidationContext` holds the types at the node.
protocol ValidationRule {
    mutating func enter(_ document: Document, _ context: inout ValidationContext)
    mutating func leave(_ document: Document, _ context: inout ValidationContext)
    mutating func enter(_ operation: OperationDefinition, _ context: inout ValidationContext)
    mutating func leave(_ operation: OperationDefinition, _ context: inout ValidationContext)
    mutating func enter(_ fragment: FragmentDefinition, _ context: inout ValidationContext)
    mutating func enter(_ definition: VariableDefinition, _ context: inout ValidationContext)
    mutating func enter(_ selectionSet: SelectionSet, _ context: inout ValidationContext)
    mutating func enter(_ field: Field, _ context: inout ValidationContext)
    mutating func leave(_ field: Field, _ context: inout ValidationContext)
    mutating func enter(_ spread: FragmentSpread, _ context: inout ValidationContext)
    mutating func enter(_ fragment: InlineFragment, _ context: inout ValidationContext)
    mutating func enter(_ directive: Directive, at location: DirectiveLocation, _ context: inout ValidationContext)
    mutating func leave(_ directive: Directive, _ context: inout ValidationContext)
    mutating func enter(_ argument: Argument, _ context: inout ValidationContext)
    mutating func enter(_ type: NamedTypeNode, _ context: inout ValidationContext)
    mutating func enter(_ value: Value, _ context: inout ValidationContext)
    /// Of lists and objects only.
    mutating func leave(_ value: Value, _ context: inout ValidationContext)
    mutating func enter(_ field: ObjectField, _ context: inout ValidationContext)
}

extension ValidationRule {
    func enter(_ document: Document, _ context: inout ValidationContext) {}
    func leave(_ document: Document, _ context: inout ValidationContext) {}
    func enter(_ operation: OperationDefinition, _ context: inout ValidationContext) {}
    func leave(_ operation: OperationDefinition, _ context: inout ValidationContext) {}
    func enter(_ fragment: FragmentDefinition, _ context: inout ValidationContext) {}
    func enter(_ definition: VariableDefinition, _ context: inout ValidationContext) {}
    func enter(_ selectionSet: SelectionSet, _ context: inout ValidationContext) {}
    func enter(_ field: Field, _ context: inout ValidationContext) {}
    func leave(_ field: Field, _ context: inout ValidationContext) {}
    func enter(_ spread: FragmentSpread, _ context: inout ValidationContext) {}
    func enter(_ fragment: InlineFragment, _ context: inout ValidationContext) {}
    func enter(_ directive: Directive, at location: DirectiveLocation, _ context: inout ValidationContext) {}
    func leave(_ directive: Directive, _ context: inout ValidationContext) {}
    func enter(_ argument: Argument, _ context: inout ValidationContext) {}
    func enter(_ type: NamedTypeNode, _ context: inout ValidationContext) {}
    func enter(_ value: Value, _ context: inout ValidationContext) {}
    func leave(_ value: Value, _ context: inout ValidationContext) {}
    func enter(_ field: ObjectField, _ context: inout ValidationContext) {}
}

/// Only the traversal, for those who need its `DocumentIndex` alone.
struct NoRules: ValidationRule {}

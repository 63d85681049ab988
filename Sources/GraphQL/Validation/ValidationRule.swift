/// A rule for executable documents. One traversal of the document calls all rules at each node, so that their errors
/// come in document order. `ValidationContext` has the types at the node.
protocol ValidationRule {
    init()

    /// The single rules that this one consists of: itself, unless it is a list of rules.
    var members: [any ValidationRule] { get }

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
    /// Called for lists and objects only.
    mutating func leave(_ value: Value, _ context: inout ValidationContext)
    mutating func enter(_ field: ObjectField, _ context: inout ValidationContext)
}

extension ValidationRule {
    var members: [any ValidationRule] { [self] }

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

/// No rule: the traversal only fills its `DocumentIndex`.
struct NoRules: ValidationRule {}

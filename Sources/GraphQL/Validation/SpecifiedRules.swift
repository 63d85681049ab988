/// All specified rules behind one type, so that each call is static and inlined: four times as fast as a list of
/// existentials. At each node the rules come in the order of `ValidationRuleName.specified`.
struct SpecifiedRules: ValidationRule {
    private var executableDefinitions = ExecutableDefinitions()
    private var knownOperationTypes = KnownOperationTypes()
    private var uniqueOperationNames = UniqueOperationNames()
    private var loneAnonymousOperation = LoneAnonymousOperation()
    private var singleFieldSubscriptions = SingleFieldSubscriptions()
    private var knownTypeNames = KnownTypeNames()
    private var fragmentsOnCompositeTypes = FragmentsOnCompositeTypes()
    private var variablesAreInputTypes = VariablesAreInputTypes()
    private var scalarLeafs = ScalarLeafs()
    private var fieldsOnCorrectType = FieldsOnCorrectType()
    private var uniqueFragmentNames = UniqueFragmentNames()
    private var knownFragmentNames = KnownFragmentNames()
    private var noUnusedFragments = NoUnusedFragments()
    private var possibleFragmentSpreads = PossibleFragmentSpreads()
    private var noFragmentCycles = NoFragmentCycles()
    private var uniqueVariableNames = UniqueVariableNames()
    private var noUndefinedVariables = NoUndefinedVariables()
    private var noUnusedVariables = NoUnusedVariables()
    private var knownDirectives = KnownDirectives()
    private var uniqueDirectivesPerLocation = UniqueDirectivesPerLocation()
    private var deferStreamDirectiveOnRootField = DeferStreamDirectiveOnRootField()
    private var deferStreamDirectiveOnValidOperations = DeferStreamDirectiveOnValidOperations()
    private var deferStreamDirectiveLabel = DeferStreamDirectiveLabel()
    private var streamDirectiveOnListField = StreamDirectiveOnListField()
    private var knownArgumentNames = KnownArgumentNames()
    private var uniqueArgumentNames = UniqueArgumentNames()
    private var valuesOfCorrectType = ValuesOfCorrectType()
    private var providedRequiredArguments = ProvidedRequiredArguments()
    private var variablesInAllowedPosition = VariablesInAllowedPosition()
    private var overlappingFieldsCanBeMerged = OverlappingFieldsCanBeMerged()
    private var uniqueInputFieldNames = UniqueInputFieldNames()

    mutating func enter(_ document: Document, _ context: inout ValidationContext) {
        executableDefinitions.enter(document, &context)
        loneAnonymousOperation.enter(document, &context)
        knownTypeNames.enter(document, &context)
    }

    mutating func leave(_ document: Document, _ context: inout ValidationContext) {
        noUnusedFragments.leave(document, &context)
        noFragmentCycles.leave(document, &context)
        noUndefinedVariables.leave(document, &context)
        noUnusedVariables.leave(document, &context)
        deferStreamDirectiveOnRootField.leave(document, &context)
        deferStreamDirectiveOnValidOperations.leave(document, &context)
        variablesInAllowedPosition.leave(document, &context)
        overlappingFieldsCanBeMerged.leave(document, &context)
    }

    mutating func enter(_ operation: OperationDefinition, _ context: inout ValidationContext) {
        knownOperationTypes.enter(operation, &context)
        uniqueOperationNames.enter(operation, &context)
        loneAnonymousOperation.enter(operation, &context)
        singleFieldSubscriptions.enter(operation, &context)
        uniqueVariableNames.enter(operation, &context)
        uniqueDirectivesPerLocation.enter(operation, &context)
        deferStreamDirectiveOnValidOperations.enter(operation, &context)
        valuesOfCorrectType.enter(operation, &context)
    }

    mutating func leave(_ operation: OperationDefinition, _ context: inout ValidationContext) {
        noUndefinedVariables.leave(operation, &context)
        noUnusedVariables.leave(operation, &context)
        valuesOfCorrectType.leave(operation, &context)
        variablesInAllowedPosition.leave(operation, &context)
    }

    mutating func enter(_ fragment: FragmentDefinition, _ context: inout ValidationContext) {
        fragmentsOnCompositeTypes.enter(fragment, &context)
        uniqueFragmentNames.enter(fragment, &context)
        noFragmentCycles.enter(fragment, &context)
        uniqueDirectivesPerLocation.enter(fragment, &context)
        deferStreamDirectiveOnValidOperations.enter(fragment, &context)
    }

    mutating func enter(_ definition: VariableDefinition, _ context: inout ValidationContext) {
        variablesAreInputTypes.enter(definition, &context)
        uniqueDirectivesPerLocation.enter(definition, &context)
    }

    @inline(__always)
    mutating func enter(_ selectionSet: SelectionSet, _ context: inout ValidationContext) {
        overlappingFieldsCanBeMerged.enter(selectionSet, &context)
    }

    @inline(__always)
    mutating func enter(_ field: Field, _ context: inout ValidationContext) {
        scalarLeafs.enter(field, &context)
        fieldsOnCorrectType.enter(field, &context)
        uniqueDirectivesPerLocation.enter(field, &context)
        uniqueArgumentNames.enter(field, &context)
    }

    @inline(__always)
    mutating func leave(_ field: Field, _ context: inout ValidationContext) {
        providedRequiredArguments.leave(field, &context)
    }

    mutating func enter(_ spread: FragmentSpread, _ context: inout ValidationContext) {
        knownFragmentNames.enter(spread, &context)
        possibleFragmentSpreads.enter(spread, &context)
        uniqueDirectivesPerLocation.enter(spread, &context)
    }

    mutating func enter(_ fragment: InlineFragment, _ context: inout ValidationContext) {
        fragmentsOnCompositeTypes.enter(fragment, &context)
        possibleFragmentSpreads.enter(fragment, &context)
        uniqueDirectivesPerLocation.enter(fragment, &context)
    }

    mutating func enter(_ directive: Directive, at location: DirectiveLocation, _ context: inout ValidationContext) {
        knownDirectives.enter(directive, at: location, &context)
        if directive.isDeferOrStream {
            deferStreamDirectiveOnRootField.enter(directive, at: location, &context)
            deferStreamDirectiveOnValidOperations.enter(directive, at: location, &context)
            deferStreamDirectiveLabel.enter(directive, at: location, &context)
            streamDirectiveOnListField.enter(directive, at: location, &context)
        }
        knownArgumentNames.enter(directive, at: location, &context)
        uniqueArgumentNames.enter(directive, at: location, &context)
    }

    mutating func leave(_ directive: Directive, _ context: inout ValidationContext) {
        providedRequiredArguments.leave(directive, &context)
    }

    mutating func enter(_ argument: Argument, _ context: inout ValidationContext) {
        knownArgumentNames.enter(argument, &context)
    }

    mutating func enter(_ type: NamedTypeNode, _ context: inout ValidationContext) {
        knownTypeNames.enter(type, &context)
    }

    mutating func enter(_ value: Value, _ context: inout ValidationContext) {
        valuesOfCorrectType.enter(value, &context)
        uniqueInputFieldNames.enter(value, &context)
    }

    mutating func leave(_ value: Value, _ context: inout ValidationContext) {
        valuesOfCorrectType.leave(value, &context)
        uniqueInputFieldNames.leave(value, &context)
    }

    mutating func enter(_ field: ObjectField, _ context: inout ValidationContext) {
        valuesOfCorrectType.enter(field, &context)
        uniqueInputFieldNames.enter(field, &context)
    }
}

/// The rules by name, to choose among them.
public enum ValidationRuleName: String, Sendable, CaseIterable {
    case executableDefinitions = "ExecutableDefinitions"
    case knownOperationTypes = "KnownOperationTypes"
    case uniqueOperationNames = "UniqueOperationNames"
    case loneAnonymousOperation = "LoneAnonymousOperation"
    case singleFieldSubscriptions = "SingleFieldSubscriptions"
    case knownTypeNames = "KnownTypeNames"
    case fragmentsOnCompositeTypes = "FragmentsOnCompositeTypes"
    case variablesAreInputTypes = "VariablesAreInputTypes"
    case scalarLeafs = "ScalarLeafs"
    case fieldsOnCorrectType = "FieldsOnCorrectType"
    case uniqueFragmentNames = "UniqueFragmentNames"
    case knownFragmentNames = "KnownFragmentNames"
    case noUnusedFragments = "NoUnusedFragments"
    case possibleFragmentSpreads = "PossibleFragmentSpreads"
    case noFragmentCycles = "NoFragmentCycles"
    case uniqueVariableNames = "UniqueVariableNames"
    case noUndefinedVariables = "NoUndefinedVariables"
    case noUnusedVariables = "NoUnusedVariables"
    case knownDirectives = "KnownDirectives"
    case uniqueDirectivesPerLocation = "UniqueDirectivesPerLocation"
    case deferStreamDirectiveOnRootField = "DeferStreamDirectiveOnRootField"
    case deferStreamDirectiveOnValidOperations = "DeferStreamDirectiveOnValidOperations"
    case deferStreamDirectiveLabel = "DeferStreamDirectiveLabel"
    case streamDirectiveOnListField = "StreamDirectiveOnListField"
    case knownArgumentNames = "KnownArgumentNames"
    case uniqueArgumentNames = "UniqueArgumentNames"
    case valuesOfCorrectType = "ValuesOfCorrectType"
    case providedRequiredArguments = "ProvidedRequiredArguments"
    case variablesInAllowedPosition = "VariablesInAllowedPosition"
    case overlappingFieldsCanBeMerged = "OverlappingFieldsCanBeMerged"
    case uniqueInputFieldNames = "UniqueInputFieldNames"
    /// Not in the specification, like those below: no selection of a deprecated field, argument or enum value.
    case noDeprecated = "NoDeprecated"
    case noSchemaIntrospection = "NoSchemaIntrospection"
    case maxIntrospectionDepth = "MaxIntrospectionDepth"

    var rule: any ValidationRule {
        switch self {
        case .executableDefinitions: ExecutableDefinitions()
        case .knownOperationTypes: KnownOperationTypes()
        case .uniqueOperationNames: UniqueOperationNames()
        case .loneAnonymousOperation: LoneAnonymousOperation()
        case .singleFieldSubscriptions: SingleFieldSubscriptions()
        case .knownTypeNames: KnownTypeNames()
        case .fragmentsOnCompositeTypes: FragmentsOnCompositeTypes()
        case .variablesAreInputTypes: VariablesAreInputTypes()
        case .scalarLeafs: ScalarLeafs()
        case .fieldsOnCorrectType: FieldsOnCorrectType()
        case .uniqueFragmentNames: UniqueFragmentNames()
        case .knownFragmentNames: KnownFragmentNames()
        case .noUnusedFragments: NoUnusedFragments()
        case .possibleFragmentSpreads: PossibleFragmentSpreads()
        case .noFragmentCycles: NoFragmentCycles()
        case .uniqueVariableNames: UniqueVariableNames()
        case .noUndefinedVariables: NoUndefinedVariables()
        case .noUnusedVariables: NoUnusedVariables()
        case .knownDirectives: KnownDirectives()
        case .uniqueDirectivesPerLocation: UniqueDirectivesPerLocation()
        case .deferStreamDirectiveOnRootField: DeferStreamDirectiveOnRootField()
        case .deferStreamDirectiveOnValidOperations: DeferStreamDirectiveOnValidOperations()
        case .deferStreamDirectiveLabel: DeferStreamDirectiveLabel()
        case .streamDirectiveOnListField: StreamDirectiveOnListField()
        case .knownArgumentNames: KnownArgumentNames()
        case .uniqueArgumentNames: UniqueArgumentNames()
        case .valuesOfCorrectType: ValuesOfCorrectType()
        case .providedRequiredArguments: ProvidedRequiredArguments()
        case .variablesInAllowedPosition: VariablesInAllowedPosition()
        case .overlappingFieldsCanBeMerged: OverlappingFieldsCanBeMerged()
        case .uniqueInputFieldNames: UniqueInputFieldNames()
        case .noDeprecated: NoDeprecated()
        case .noSchemaIntrospection: NoSchemaIntrospection()
        case .maxIntrospectionDepth: MaxIntrospectionDepth()
        }
    }
}

extension [ValidationRuleName] {
    /// Every rule of the specification's section 5 and its incremental delivery, in the order in which their errors come at one node.
    public static let specified: Self = [
        .executableDefinitions, .knownOperationTypes, .uniqueOperationNames, .loneAnonymousOperation,
        .singleFieldSubscriptions, .knownTypeNames, .fragmentsOnCompositeTypes, .variablesAreInputTypes,
        .scalarLeafs, .fieldsOnCorrectType, .uniqueFragmentNames, .knownFragmentNames, .noUnusedFragments,
        .possibleFragmentSpreads, .noFragmentCycles, .uniqueVariableNames, .noUndefinedVariables,
        .noUnusedVariables, .knownDirectives, .uniqueDirectivesPerLocation, .deferStreamDirectiveOnRootField,
        .deferStreamDirectiveOnValidOperations, .deferStreamDirectiveLabel, .streamDirectiveOnListField,
        .knownArgumentNames, .uniqueArgumentNames, .valuesOfCorrectType, .providedRequiredArguments,
        .variablesInAllowedPosition,
        .overlappingFieldsCanBeMerged, .uniqueInputFieldNames,
    ]
}

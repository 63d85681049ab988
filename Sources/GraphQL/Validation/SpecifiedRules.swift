/// The rules of the specification's section 5 and of incremental delivery. A rule is registered by its line here; its
/// name is that of its type. At one node the errors come in this order.
@RuleSequence
func specifiedRules() -> some ValidationRule {
    ExecutableDefinitions.self
    KnownOperationTypes.self
    UniqueOperationNames.self
    LoneAnonymousOperation.self
    SingleFieldSubscriptions.self
    KnownTypeNames.self
    FragmentsOnCompositeTypes.self
    VariablesAreInputTypes.self
    ScalarLeafs.self
    FieldsOnCorrectType.self
    UniqueFragmentNames.self
    KnownFragmentNames.self
    NoUnusedFragments.self
    PossibleFragmentSpreads.self
    NoFragmentCycles.self
    UniqueVariableNames.self
    NoUndefinedVariables.self
    NoUnusedVariables.self
    KnownDirectives.self
    UniqueDirectivesPerLocation.self
    DeferStreamDirectiveOnRootField.self
    DeferStreamDirectiveOnValidOperations.self
    DeferStreamDirectiveLabel.self
    StreamDirectiveOnListField.self
    KnownArgumentNames.self
    UniqueArgumentNames.self
    ValuesOfCorrectType.self
    ProvidedRequiredArguments.self
    VariablesInAllowedPosition.self
    OverlappingFieldsCanBeMerged.self
    UniqueInputFieldNames.self
}

/// Rules that the specification does not have. They apply only where a caller of `validate` names them.
@RuleSequence
func optionalRules() -> some ValidationRule {
    NoDeprecated.self
    NoSchemaIntrospection.self
    MaxIntrospectionDepth.self
}

/// The name of a rule, such as `FieldsOnCorrectType`: that of graphql-js without its suffix "Rule" or "CustomRule".
public struct ValidationRuleName: RawRepresentable, Hashable, Sendable, CaseIterable {
    public let rawValue: String

    /// nil where no rule has the name.
    public init?(rawValue: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = known
    }

    fileprivate init(of rule: any ValidationRule) { rawValue = "\(type(of: rule))" }

    /// The specified rules, then the optional ones.
    public static let allCases: [ValidationRuleName] = .specified + optionalRules().members.map(Self.init(of:))

    /// Refuses fields, arguments, input fields and enum values that are deprecated. Not of the specification.
    public static let noDeprecated = ValidationRuleName(of: NoDeprecated())
    /// Refuses `__schema` and `__type`. Not of the specification.
    public static let noSchemaIntrospection = ValidationRuleName(of: NoSchemaIntrospection())
    /// Refuses introspection whose lists of fields or types nest three deep or more. Not of the specification.
    public static let maxIntrospectionDepth = ValidationRuleName(of: MaxIntrospectionDepth())
}

extension [ValidationRuleName] {
    /// Every rule of the specification's section 5 and of incremental delivery, in the order in which their errors come
    /// at one node.
    public static let specified: Self = specifiedRules().members.map(ValidationRuleName.init(of:))

    /// New instances of the named rules.
    var rules: [any ValidationRule] {
        let known = specifiedRules().members + optionalRules().members
        return compactMap { name in known.first { ValidationRuleName(of: $0) == name } }
    }
}

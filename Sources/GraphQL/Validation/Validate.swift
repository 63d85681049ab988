/// Whether the document may be executed against the schema: no error means it may.
/// Spec: 5 Validation
///
/// The errors come in document order, with code `GRAPHQL_VALIDATION_FAILED`; the exception is `QUERY_TOO_COMPLEX` where
/// `ValidationOptions.maximumFieldComparisons` did not suffice.
public func validate(
    _ document: Document, against schema: Schema, rules: [ValidationRuleName] = .specified,
    options: ValidationOptions = ValidationOptions()
) -> [GraphQLError] {
    if rules == .specified {
        return errors(of: SpecifiedRules(), in: document, schema, options)
    }
    if rules.starts(with: [ValidationRuleName].specified) {
        let others = rules.dropFirst([ValidationRuleName].specified.count).map(\.rule)
        return errors(of: RuleList(rules: [SpecifiedRules()] + others), in: document, schema, options)
    }
    return errors(of: RuleList(rules: rules.map(\.rule)), in: document, schema, options)
}

private func errors(
    of rules: some ValidationRule, in document: Document, _ schema: Schema, _ options: ValidationOptions
) -> [GraphQLError] {
    var traversal = DocumentTraversal(rules: rules, context: ValidationContext(document, schema, options))
    traversal.visit(document)
    return traversal.context.errors(in: document.source)
}

public struct ValidationOptions: Sendable {
    /// Errors in one answer; a last one says that there were more.
    public var maximumErrors: Int
    /// "Did you mean": a help while developing, a map of the schema to a stranger.
    public var suggestions: Bool
    /// What the search for fields that cannot be merged may cost.
    public var maximumFieldComparisons: Int

    public init(maximumErrors: Int = 50, suggestions: Bool = true, maximumFieldComparisons: Int = 10_000) {
        self.maximumErrors = maximumErrors
        self.suggestions = suggestions
        self.maximumFieldComparisons = maximumFieldComparisons
    }
}

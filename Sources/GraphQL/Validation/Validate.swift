/// Checks whether a document may be executed against a schema.
///
/// - Parameters:
///   - document: the document.
///   - schema: the schema.
///   - rules: the rules to apply.
///   - options: the limits of the validation.
/// - Returns: the errors in document order, with code `GRAPHQL_VALIDATION_FAILED`, or `QUERY_TOO_COMPLEX` where the
///   document takes more than ``ValidationOptions/maximumFieldComparisons``; none for a valid document.
/// Spec: 5 Validation
public func validate(
    _ document: Document, against schema: Schema, rules: [ValidationRuleName] = .specified,
    options: ValidationOptions = ValidationOptions()
) -> [GraphQLError] {
    if rules == .specified { return validate(document, against: schema, specifiedRules(), options) }
    if rules.starts(with: [ValidationRuleName].specified) {
        let others = Array(rules.dropFirst([ValidationRuleName].specified.count)).rules
        return validate(document, against: schema, RuleList(rules: [specifiedRules()] + others), options)
    }
    return validate(document, against: schema, RuleList(rules: rules.rules), options)
}

func validate(
    _ document: Document, against schema: Schema, _ rules: some ValidationRule, _ options: ValidationOptions
) -> [GraphQLError] {
    var traversal = DocumentTraversal(rules: rules, context: ValidationContext(document, schema, options))
    traversal.visit(document)
    return traversal.context.errors(in: document.source)
}

/// The limits of a validation.
public struct ValidationOptions: Sendable {
    /// The greatest number of errors returned, at least 1. Where there are more, the last one says so.
    public var maximumErrors: Int
    /// Whether messages suggest names ("Did you mean …?"), which reveal parts of the schema.
    public var suggestions: Bool
    /// The greatest number of comparisons of two fields, while it is checked that fields can be merged.
    public var maximumFieldComparisons: Int

    public init(maximumErrors: Int = 50, suggestions: Bool = true, maximumFieldComparisons: Int = 10_000) {
        self.maximumErrors = maximumErrors
        self.suggestions = suggestions
        self.maximumFieldComparisons = maximumFieldComparisons
    }
}

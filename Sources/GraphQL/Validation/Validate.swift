/// Checks whether a document may be executed against a schema.
///
/// - Parameters:
///   - document: the document.
///   - schema: the schema.
///   - rules: the rules to apply.
///   - options: the limits of the validation.
/// - Returns: the errors in the order in which a walk through the document finds them, with code
///   `GRAPHQL_VALIDATION_FAILED`, or `QUERY_TOO_COMPLEX` where the document takes more than
///   ``ValidationOptions/maximumFieldComparisons``; none for a valid document.
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
    traverse(document, against: schema, rules, options).errors(in: document.source)
}

func traverse(
    _ document: Document, against schema: Schema, _ rules: some ValidationRule, _ options: ValidationOptions
) -> ValidationContext {
    var traversal = DocumentTraversal(rules: rules, context: ValidationContext(document, schema, options))
    traversal.visit(document)
    return traversal.context
}

/// A document that may be executed against a schema, with what its validation found out about it. A ``QueryMeasure``
/// of it needs no further walk through the document.
public struct ValidatedDocument: Sendable {
    public let document: Document
    let schema: Schema
    let index: DocumentIndex

    /// Applies the specified rules.
    /// - Throws: the errors of ``validate(_:against:rules:options:)``.
    public init(
        _ document: Document, against schema: Schema, options: ValidationOptions = ValidationOptions()
    ) throws(RequestError) {
        let context = traverse(document, against: schema, specifiedRules(), options)
        let errors = context.errors(in: document.source)
        if !errors.isEmpty { throw RequestError(errors) }
        self.document = document
        self.schema = schema
        index = context.index
    }
}

/// The limits of a validation.
public struct ValidationOptions: Sendable {
    /// The greatest number of errors returned, at least 1. Where there are more, the last one says so.
    public var maximumErrors: Int
    /// True where messages suggest names ("Did you mean …?"), which reveal parts of the schema.
    public var suggestions: Bool
    /// The greatest number of comparisons of two fields in each search for fields that cannot be merged.
    public var maximumFieldComparisons: Int

    public init(maximumErrors: Int = 50, suggestions: Bool = true, maximumFieldComparisons: Int = 10_000) {
        self.maximumErrors = maximumErrors
        self.suggestions = suggestions
        self.maximumFieldComparisons = maximumFieldComparisons
    }
}

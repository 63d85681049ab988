import GraphQL

/// Validates documents against any schema.
struct DocumentCheck {
    /// As in graphql-js: further errors are seldom worth reading.
    private static let maximumErrors = 100
    /// Much higher than a server's limit, because the files are the user's own.
    private static let maximumFieldComparisons = 1_000_000

    private let schema: Schema
    private let rules: [ValidationRuleName]

    /// - Parameter rules: empty for all rules that graphql-js applies by default.
    init(schema: Schema, rules: [ValidationRuleName] = []) {
        self.schema = schema
        self.rules = rules.isEmpty ? .specified + [.maxIntrospectionDepth] : rules
    }

    func errors(in source: Source) -> [GraphQLError] {
        let document: Document
        do { document = try parse(source) } catch { return [error] }
        return validate(
            document, against: schema, rules: rules,
            options: ValidationOptions(
                maximumErrors: Self.maximumErrors, maximumFieldComparisons: Self.maximumFieldComparisons))
    }
}

extension ValidationRuleName {
    /// A rule by its name here or in graphql-js: `ScalarLeafs`, `ScalarLeafsRule`, `NoDeprecatedCustomRule`.
    init?(name: String) {
        for suffix in ["CustomRule", "Rule", ""] where name.hasSuffix(suffix) {
            if let rule = ValidationRuleName(rawValue: String(name.dropLast(suffix.count))) {
                self = rule
                return
            }
        }
        return nil
    }
}

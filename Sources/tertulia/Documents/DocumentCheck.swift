import GraphQL

/// Validates documents against any schema.
struct DocumentCheck {
    /// As graphql-js: further errors are seldom worth reading.
    private static let maximumErrors = 100
    /// The files are the author's own: what is much for a server's client is not for him.
    private static let maximumFieldComparisons = 1_000_000

    private let schema: Schema
    private let rules: [ValidationRuleName]

    /// - Parameter rules: none for all that graphql-js has by default.
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
    /// A rule as it or graphql-js names it: `ScalarLeafs`, `ScalarLeafsRule`, `NoDeprecatedCustomRule`.
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

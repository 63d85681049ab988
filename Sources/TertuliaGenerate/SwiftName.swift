/// The names that generated Swift code has for names of a GraphQL schema or document.
enum SwiftName {
    /// A property's or parameter's name, in backticks where Swift has a keyword of that name.
    static func property(_ name: String) -> String {
        let trimmed = name == "__typename" ? "typename" : name
        return keywords.contains(trimmed) ? "`\(trimmed)`" : trimmed
    }

    /// The name of a nested struct for a response name.
    static func type(_ name: String, besides taken: Set<String>) -> String {
        let upper = name.prefix(1).uppercased() + name.dropFirst()
        return taken.contains(upper) || swiftTypes.contains(upper) ? upper + "Object" : upper
    }

    /// The name of a property for a type or a fragment: `feedRow` for `FeedRow`.
    static func lowered(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }

    /// `mostLiked` for `MOST_LIKED`. In a name that has small letters, only the first letter is lowered.
    static func enumCase(_ name: String) -> String {
        guard name == name.uppercased() else { return property(lowered(name)) }
        let words = name.lowercased().split(separator: "_", omittingEmptySubsequences: true)
        guard let first = words.first else { return property(name) }
        let camel = words.dropFirst().reduce(String(first)) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
        return property(camel.first?.isNumber == true ? "_" + camel : camel)
    }

    /// The names of an enum's cases, in the order of its values. They differ from each other and from the enum's own
    /// members.
    static func enumCases(_ values: [String]) -> [String] {
        let plain = values.map(enumCase)
        var taken = enumMembers
        return zip(values, plain).map { value, name in
            let isShared = plain.count { $0 == name } > 1
            var unique = isShared || enumMembers.contains(name) ? value + "_" : name
            while !taken.insert(unique).inserted { unique += "_" }
            return unique
        }
    }

    /// Members that the generator writes into each enum.
    private static let enumMembers: Set<String> = ["allCases", "rawValue", "unknown"]

    /// Names that a nested struct must not have: those of types that generated code uses, and words that mean something
    /// else in Swift, such as `Type`.
    private static let swiftTypes: Set<String> = [
        "Any", "Array", "Bool", "ChangeSubscription", "Data", "Date", "Double", "Given", "GraphQLEnum", "InputField",
        "InputObjectValue", "Int", "JSONValue", "LiveQuery", "MutationOperation", "ObjectReader", "Optional",
        "Protocol",
        "QueryOperation", "SchemaDescription", "SelectedObject", "SelectionSet", "Self", "String",
        "SubscriptionOperation", "Type", "UnreadableResponse", "UploadFile",
    ]

    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class", "continue",
        "default",
        "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
        "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup",
        "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript",
        "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}

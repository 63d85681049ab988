/// Swift's names for GraphQL's.
///
/// A property has the name of its field or variable, and a struct that name with a capital letter. A name that is a keyword
/// of Swift is written in backticks. A name that is taken gets an underscore or a word behind it.
enum SwiftName {
    /// The name of a property, a parameter or a case with a payload.
    static func member(_ name: String) -> String { name == "__typename" ? "typename" : name }

    /// The name of a type: `FeedRow` for `feedRow`, `_Count` for `_count`.
    static func type(_ name: String) -> String { withFirstLetter(name) { $0.uppercased() } }

    /// The name of a property for a type or a fragment: `feedRow` for `FeedRow`.
    static func lowered(_ name: String) -> String { withFirstLetter(name) { $0.lowercased() } }

    private static func withFirstLetter(_ name: String, _ change: (Character) -> String) -> String {
        let underscores = name.prefix { $0 == "_" }
        let rest = name.dropFirst(underscores.count)
        return underscores + (rest.first.map(change) ?? "") + rest.dropFirst()
    }

    /// `mostLiked` for `MOST_LIKED`. In a name that has small letters the first letter alone changes.
    static func enumCase(_ name: String) -> String {
        guard name == name.uppercased() else { return name.prefix(1).lowercased() + name.dropFirst() }
        let words = name.lowercased().split(separator: "_")
        guard let first = words.first else { return name }
        let camel = words.dropFirst().reduce(String(first)) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
        return camel.first?.isNumber == true ? "_" + camel : camel
    }

    /// The names of an enum's cases by its values. Where two values would be one case, or a value would be a member that
    /// every enum has, the case has the value's own name and an underscore.
    static func enumCases(_ values: [String]) -> [String: String] {
        let byName = Dictionary(grouping: values, by: enumCase)
        var scope = NameScope(reserved: reservedInEnums, Set(byName.keys))
        var cases: [String: String] = [:]
        for value in values {
            let name = enumCase(value)
            let isFree = byName[name]?.count == 1 && !reservedInEnums.contains(name)
            cases[value] = isFree ? name : scope.claim(value + "_", suffix: "_")
        }
        return cases
    }

    /// The name as it is written, in backticks where Swift has a keyword of that name.
    static func written(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    // MARK: - Names that are taken

    /// Swift reads a parameter `self` as the object itself, in backticks too, and no declaration may be called `_`.
    private static let reserved: Set<String> = ["_", "self"]

    /// A type that generated code names in an expression: Swift would find a property of that name first, in nested types
    /// too.
    static let reservedInObjects: Set<String> = reserved.union(["SelectionSet"])
    /// Members that every operation or every list has, and the type with which variables are encoded.
    static let reservedInOperations: Set<String> =
        reservedInObjects.union(["Changes", "Data", "InputField", "Row", "variableFields"])
    /// Members that every input type has, and the type with which fields are encoded. A field `isAbsent` would be taken for
    /// the member of that name, and an input whose `isAbsent` is true is not sent.
    static let reservedInInputs: Set<String> = reserved.union(["InputField", "inputFields", "isAbsent"])
    private static let reservedInEnums: Set<String> = reserved.union(["allCases", "unknown"])

    /// Types of Swift, Foundation and the client that generated code names.
    private static let usedTypes: Set<String> = [
        "Bool", "ChangeSubscription", "Date", "Double", "Given", "GraphQLEnum", "InputField", "InputObjectValue", "Int",
        "JSONValue", "LiveQuery", "MutationOperation", "ObjectReader", "QueryOperation", "SchemaDescription",
        "SelectedObject", "SelectionSet", "String", "SubscriptionOperation", "UnreadableResponse", "UploadFile",
    ]
    /// Names that have a meaning in the language. A string literal without a stated type is a `StringLiteralType` or, of one
    /// scalar, a `UnicodeScalarType`.
    private static let languageTypes: Set<String> = ["Any", "Self", "StringLiteralType", "UnicodeScalarType", "_"]
    /// Types that each operation and each list declares.
    static let typesOfOperations: Set<String> = ["Changes", "Data", "Row"]
    /// Types that the compiler infers for each enum.
    private static let typesOfEnums: Set<String> = ["AllCases", "RawValue"]

    /// Names that no enum, input type, fragment or operation may have.
    static let reservedTypes = usedTypes.union(languageTypes).union(typesOfOperations).union(typesOfEnums)
    /// Names that no struct of a selection set may have. `Type` and `Protocol` are members of every type.
    static let reservedNestedTypes =
        usedTypes.union(languageTypes).union(["Array", "Data", "Optional", "Protocol", "Type"])

    /// Keywords, and the contextual keywords that Swift refuses as the name of a type or a property.
    /// Source: The Swift Programming Language, Keywords and Punctuation
    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "any", "as", "associatedtype", "await", "borrowing", "break", "case",
        "catch", "class", "consuming", "continue", "default", "defer", "deinit", "do", "each", "else", "enum",
        "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
        "inout", "internal", "is", "isolated", "let", "nil", "nonisolated", "operator", "precedencegroup", "private",
        "protocol", "public", "repeat", "rethrows", "return", "self", "sending", "some", "static", "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}

/// The names of one Swift scope, each of which is given once.
struct NameScope {
    private let reserved: [Set<String>]
    private var taken: Set<String> = []

    /// - Parameter reserved: the names that are not to be given.
    init(reserved: Set<String>...) { self.reserved = reserved }

    private func isFree(_ name: String) -> Bool {
        !taken.contains(name) && !reserved.contains { $0.contains(name) }
    }

    /// The name that is wanted, with `suffix` behind it as often as it takes to be free.
    mutating func claim(_ wanted: String, suffix: String) -> String {
        var name = wanted
        while !isFree(name) { name += suffix }
        taken.insert(name)
        return name
    }

    /// The names for those that are wanted, in their order. The first to want a free name gets it.
    mutating func claim(_ wanted: [String], suffix: String) -> [String] {
        var free = Set(wanted.filter(isFree))
        taken.formUnion(free)
        return wanted.map { free.remove($0) ?? claim($0, suffix: suffix) }
    }

    /// The names for those that are wanted, and nil for nil.
    mutating func claim(_ wanted: [String?], suffix: String) -> [String?] {
        var names = claim(wanted.compactMap(\.self), suffix: suffix)[...]
        return wanted.map { $0 == nil ? nil : names.removeFirst() }
    }
}

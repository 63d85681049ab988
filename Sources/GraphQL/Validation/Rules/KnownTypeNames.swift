/// Spec: 5.5.1.2 Fragment Spread Type Existence
struct KnownTypeNames: ValidationRule {
    /// The types that the document itself defines. Such a document is refused by `ExecutableDefinitions`.
    private var defined: Set<String> = []

    mutating func enter(_ document: Document, _ context: inout ValidationContext) {
        for case .type(let type) in document.definitions { defined.insert(type.name.value) }
    }

    func enter(_ type: NamedTypeNode, _ context: inout ValidationContext) {
        let name = type.name.value
        if context.schema.typeIndex(named: name) != nil || defined.contains(name) { return }
        let known = context.schema.types.lazy.map(\.name)
        context.report(
            Self.unknown(name) + context.didYouMean(suggestionList(name, Array(known) + defined)), at: type.location)
    }

    static func unknown(_ name: String) -> String { "Unknown type \"\(name)\"." }
}

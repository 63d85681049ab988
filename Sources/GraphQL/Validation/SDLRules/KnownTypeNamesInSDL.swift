/// Each name of a type refers to a type of the document, a type of the schema that the document extends, or a built-in
/// type.
/// Spec: 3.4 Types
struct KnownTypeNamesInSDL: SDLRule {
    private let known: Set<String>

    init(_ context: SDLValidationContext) {
        var known = Set(BuiltInDefinitions.scalarNames + BuiltInDefinitions.introspectionTypeNames)
        known.formUnion(context.schema?.types.map(\.name) ?? [])
        for case .type(let type) in context.document.definitions { known.insert(type.name.value) }
        self.known = known
    }

    func enter(_ type: NamedTypeNode, _ context: inout SDLValidationContext) {
        let name = type.name.value
        if known.contains(name) { return }
        context.report("Unknown type \"\(name)\"." + didYouMean(suggestionList(name, known)), at: type.location)
    }
}

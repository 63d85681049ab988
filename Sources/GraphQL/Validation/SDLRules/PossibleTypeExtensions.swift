/// An extended type is defined, and is of the same kind as its extension.
/// Spec: 3.4.3 Type Extensions
struct PossibleTypeExtensions: SDLRule {
    private let defined: [String: TypeDefinition]

    init(_ context: SDLValidationContext) {
        defined = Dictionary(
            context.document.definitions.compactMap { definition in
                if case .type(let type) = definition { (type.name.value, type) } else { nil }
            }, uniquingKeysWith: { _, last in last })
    }

    func enter(_ type: TypeDefinition, isExtension: Bool, _ context: inout SDLValidationContext) {
        guard isExtension else { return }
        let name = type.name.value
        let definition = defined[name]
        guard let kind = definition?.kind ?? context.schema?.type(named: name)?.definitionKind else {
            let names = Set(defined.keys).union(context.schema?.types.map(\.name) ?? [])
            context.report(
                "Cannot extend type \"\(name)\" because it is not defined." + didYouMean(suggestionList(name, names)),
                at: type.name.location)
            return
        }
        if kind != type.kind {
            context.report(
                "Cannot extend non-\(type.kind.words) type \"\(name)\".",
                at: [definition?.location, type.location].compactMap(\.self))
        }
    }
}

extension NamedType {
    var definitionKind: TypeDefinition.Kind {
        switch self {
        case .scalar: .scalar
        case .object: .object
        case .interface: .interface
        case .union: .union
        case .enumeration: .enumeration
        case .inputObject: .inputObject
        }
    }
}

extension TypeDefinition.Kind {
    fileprivate var words: String {
        switch self {
        case .scalar, .object, .interface, .union: rawValue
        case .enumeration: "enum"
        case .inputObject: "input object"
        }
    }
}

/// Spec: 3.6 Objects, 3.13 Directives, "The argument must have a unique name"
struct UniqueArgumentDefinitionNames: SDLRule {
    init(_ context: SDLValidationContext) {}

    func enter(_ type: TypeDefinition, isExtension: Bool, _ context: inout SDLValidationContext) {
        for field in type.fields {
            check(field.arguments, of: "\(type.name.value).\(field.name.value)", &context)
        }
    }

    func enter(_ directive: DirectiveDefinition, _ context: inout SDLValidationContext) {
        check(directive.arguments, of: "@\(directive.name.value)", &context)
    }

    private func check(
        _ arguments: [InputValueDefinition], of owner: String, _ context: inout SDLValidationContext
    ) {
        for repeats in arguments.map(\.name).repeated() {
            context.report(
                "Argument \"\(owner)(\(repeats[0].value):)\" can only be defined once.", at: repeats.map(\.location))
        }
    }
}

extension [Name] {
    /// The names that occur more than once, each with all its occurrences, in the order of the first.
    func repeated() -> [[Name]] {
        var positions: [String: Int] = [:]
        var groups: [[Name]] = []
        for name in self {
            if let position = positions[name.value] {
                groups[position].append(name)
            } else {
                positions[name.value] = groups.count
                groups.append([name])
            }
        }
        return groups.filter { $0.count > 1 }
    }
}

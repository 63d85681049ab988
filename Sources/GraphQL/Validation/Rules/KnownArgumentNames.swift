/// Spec: 5.4.1 Argument Names
struct KnownArgumentNames: ValidationRule {
    func enter(_ argument: Argument, _ context: inout ValidationContext) {
        guard context.argument == nil, let field = context.field, let parentType = context.parentType else { return }
        let name = argument.name.value
        context.report(
            "Unknown argument \"\(name)\" on field \"\(context.schema[parentType].name).\(field.name)\"."
                + context.didYouMean(suggestionList(name, field.arguments.map(\.name))),
            at: argument.location)
    }

    func enter(_ directive: Directive, at location: DirectiveLocation, _ context: inout ValidationContext) {
        guard let definition = context.directive else { return }
        for argument in directive.arguments where definition.argument(named: argument.name.value) == nil {
            let name = argument.name.value
            context.report(
                Self.unknown(name, onDirective: definition.name)
                    + context.didYouMean(suggestionList(name, definition.arguments.map(\.name))),
                at: argument.location)
        }
    }

    static func unknown(_ argument: String, onDirective directive: String) -> String {
        "Unknown argument \"\(argument)\" on directive \"@\(directive)\"."
    }
}

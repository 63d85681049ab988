/// Spec: 5.4.1 Argument Names, for directives in a type-system document
struct KnownArgumentNamesOnDirectives: SDLRule {
    init(_ context: SDLValidationContext) {}

    func enter(_ directive: Directive, at location: DirectiveLocation, _ context: inout SDLValidationContext) {
        guard let known = context.directives[directive.name.value]?.arguments.map(\.name) else { return }
        for argument in directive.arguments where !known.contains(argument.name.value) {
            let name = argument.name.value
            context.report(
                "Unknown argument \"\(name)\" on directive \"@\(directive.name.value)\"."
                    + didYouMean(suggestionList(name, known)),
                at: argument.location)
        }
    }
}

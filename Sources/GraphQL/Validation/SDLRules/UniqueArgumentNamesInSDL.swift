/// Spec: 5.4.2 Argument Uniqueness, for directives in a type-system document
struct UniqueArgumentNamesInSDL: SDLRule {
    init(_ context: SDLValidationContext) {}

    func enter(_ directive: Directive, at location: DirectiveLocation, _ context: inout SDLValidationContext) {
        for repeats in directive.arguments.map(\.name).repeated() {
            context.report(
                "There can be only one argument named \"\(repeats[0].value)\".", at: repeats.map(\.location))
        }
    }
}

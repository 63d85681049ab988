/// Spec: 5.4.3 Required Arguments, for directives in a type-system document
struct ProvidedRequiredArgumentsOnDirectives: SDLRule {
    init(_ context: SDLValidationContext) {}

    func leave(_ directive: Directive, _ context: inout SDLValidationContext) {
        guard let definition = context.directives[directive.name.value] else { return }
        for argument in definition.arguments
        where argument.isRequired && !directive.arguments.contains(where: { $0.name.value == argument.name }) {
            context.report(
                "Directive \"@\(directive.name.value)\" argument \"\(argument.name)\" of type \"\(argument.type)\" "
                    + "is required, but it was not provided.",
                at: directive.location)
        }
    }
}

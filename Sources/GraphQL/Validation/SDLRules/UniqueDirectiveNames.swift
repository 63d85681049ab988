/// Spec: 3.13 Directives, "All directives within a GraphQL schema must have unique names"
struct UniqueDirectiveNames: SDLRule {
    private var defined: [String: Location] = [:]

    init(_ context: SDLValidationContext) {}

    mutating func enter(_ directive: DirectiveDefinition, _ context: inout SDLValidationContext) {
        let name = directive.name.value
        if context.schema?.directive(named: name) != nil {
            context.report(
                "Directive \"@\(name)\" already exists in the schema. It cannot be redefined.",
                at: directive.name.location)
        } else if let first = defined[name] {
            context.report("There can be only one directive named \"@\(name)\".", at: first, directive.name.location)
        } else {
            defined[name] = directive.name.location
        }
    }
}

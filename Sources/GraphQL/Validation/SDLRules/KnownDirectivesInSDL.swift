/// An applied directive is defined, and its definition allows the location.
/// Spec: 3.13 Directives
struct KnownDirectivesInSDL: SDLRule {
    init(_ context: SDLValidationContext) {}

    func enter(_ directive: Directive, at location: DirectiveLocation, _ context: inout SDLValidationContext) {
        let name = directive.name.value
        guard let definition = context.directives[name] else {
            context.report("Unknown directive \"@\(name)\".", at: directive.location)
            return
        }
        if !definition.locations.contains(location.rawValue) {
            context.report("Directive \"@\(name)\" may not be used on \(location.rawValue).", at: directive.location)
        }
    }
}

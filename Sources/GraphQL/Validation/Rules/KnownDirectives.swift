/// Spec: 5.7.1 Directives Are Defined, 5.7.2 Directives Are in Valid Locations
struct KnownDirectives: ValidationRule {
    func enter(_ directive: Directive, at location: DirectiveLocation, _ context: inout ValidationContext) {
        if let definition = context.directive {
            if definition.locations.contains(location) { return }
            context.report(Self.misplaced(directive.name.value, at: location), at: directive.location)
        } else {
            context.report(Self.unknown(directive.name.value), at: directive.location)
        }
    }

    static func unknown(_ name: String) -> String { "Unknown directive \"@\(name)\"." }

    static func misplaced(_ name: String, at location: DirectiveLocation) -> String {
        "Directive \"@\(name)\" may not be used on \(location.rawValue)."
    }
}

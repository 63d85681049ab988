/// A type and its extensions count as one location, and so do the schema and its extensions.
/// Spec: 3.13 Directives, "repeatable"
struct UniqueDirectivesPerLocationInSDL: SDLRule {
    private var ofSchema: [String: Location] = [:]
    private var ofTypes: [String: [String: Location]] = [:]

    init(_ context: SDLValidationContext) {}

    mutating func enter(_ schema: SchemaDefinition, isExtension: Bool, _ context: inout SDLValidationContext) {
        check(schema.directives, &ofSchema, &context)
    }

    mutating func enter(_ type: TypeDefinition, isExtension: Bool, _ context: inout SDLValidationContext) {
        check(type.directives, &ofTypes[type.name.value, default: [:]], &context)
    }

    func enter(memberWith directives: [Directive], _ context: inout SDLValidationContext) {
        var seen: [String: Location] = [:]
        check(directives, &seen, &context)
    }

    private func check(
        _ directives: [Directive], _ seen: inout [String: Location], _ context: inout SDLValidationContext
    ) {
        for directive in directives {
            let name = directive.name.value
            guard context.directives[name]?.isRepeatable == false else { continue }
            if let first = seen[name] {
                context.report(
                    "The directive \"@\(name)\" can only be used once at this location.", at: first, directive.location)
            } else {
                seen[name] = directive.location
            }
        }
    }
}

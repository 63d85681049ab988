/// Spec: 5.4.3 Required Arguments
struct ProvidedRequiredArguments: ValidationRule {
    /// Called when the field is left, so that errors inside the field come first.
    func leave(_ field: Field, _ context: inout ValidationContext) {
        guard let definition = context.field, !definition.arguments.isEmpty else { return }
        for missing in Self.missing(definition.arguments, in: field.arguments) {
            let type = context.notation(of: missing.type)
            context.report(
                "Field \"\(definition.name)\" argument \"\(missing.name)\" of type \"\(type)\" is required, "
                    + "but it was not provided.",
                at: field.location)
        }
    }

    func leave(_ directive: Directive, _ context: inout ValidationContext) {
        guard let definition = context.directive else { return }
        for missing in Self.missing(definition.arguments, in: directive.arguments) {
            let type = context.notation(of: missing.type)
            context.report(
                Self.missing(missing.name, type: type, onDirective: definition.name), at: directive.location)
        }
    }

    private static func missing(
        _ definitions: [InputValueType], in arguments: [Argument]
    ) -> some Sequence<InputValueType> {
        definitions.lazy.filter { definition in
            definition.isRequired && !arguments.contains { $0.name.value == definition.name }
        }
    }

    static func missing(_ argument: String, type: String, onDirective directive: String) -> String {
        "Directive \"@\(directive)\" argument \"\(argument)\" of type \"\(type)\" is required, "
            + "but it was not provided."
    }
}

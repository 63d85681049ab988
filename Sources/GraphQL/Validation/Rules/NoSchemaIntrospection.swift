/// Not of the specification: refuses fields whose type is an introspection type: `__schema`, `__type` and fields of
/// theirs.
/// Spec: 4 Introspection
struct NoSchemaIntrospection: ValidationRule {
    func enter(_ field: Field, _ context: inout ValidationContext) {
        guard let definition = context.field, context.schema[definition.namedType].isIntrospection else { return }
        context.report(
            "GraphQL introspection has been disabled, "
                + "but the requested query contained the field \"\(field.name.value)\".",
            at: field.location)
    }
}

extension NamedType {
    /// Spec: 4.2 Schema Introspection
    var isIntrospection: Bool {
        switch name {
        case "__Schema", "__Type", "__TypeKind", "__Field", "__InputValue", "__EnumValue", "__Directive",
            "__DirectiveLocation":
            true
        default: false
        }
    }
}

/// Spec: incremental delivery, 5.7.7 Stream Directives Are Used On List Fields
struct StreamDirectiveOnListField: ValidationRule {
    func enter(_ directive: Directive, at location: DirectiveLocation, _ context: inout ValidationContext) {
        guard directive.name.value == "stream", location == .field, let field = context.field,
            let parentType = context.parentType
        else { return }
        if case .list = field.type.nullable { return }
        context.report(
            "Directive \"@stream\" cannot be used on non-list field "
                + "\"\(context.schema[parentType].name).\(field.name)\".", at: directive.location)
    }
}

/// Not of the specification: refuses fields, arguments, input fields and enum values that are deprecated.
/// Spec: 3.13.3 @deprecated
struct NoDeprecated: ValidationRule {
    func enter(_ field: Field, _ context: inout ValidationContext) {
        guard let definition = context.field, let reason = definition.deprecationReason,
            let parentType = context.parentType
        else { return }
        context.report(
            "The field \(context.schema[parentType].name).\(definition.name) is deprecated. \(reason)",
            at: field.location)
    }

    func enter(_ argument: Argument, _ context: inout ValidationContext) {
        guard let definition = context.argument, let reason = definition.deprecationReason else { return }
        if let directive = context.directive {
            context.report(
                "Directive \"@\(directive.name)\" argument \"\(definition.name)\" is deprecated. \(reason)",
                at: argument.location)
        } else if let field = context.field, let parentType = context.parentType {
            let coordinate = "\(context.schema[parentType].name).\(field.name)"
            context.report(
                "Field \"\(coordinate)\" argument \"\(definition.name)\" is deprecated. \(reason)",
                at: argument.location)
        }
    }

    func enter(_ field: ObjectField, _ context: inout ValidationContext) {
        guard let object = context.inputObject, let definition = object.field(named: field.name.value),
            let reason = definition.deprecationReason
        else { return }
        context.report(
            "The input field \(object.name).\(definition.name) is deprecated. \(reason)", at: field.location)
    }

    func enter(_ value: Value, _ context: inout ValidationContext) {
        guard case .enumeration(let name) = value.kind, let type = context.inputType,
            case .enumeration(let enumeration) = context.schema[type.namedType],
            let reason = enumeration.value(named: name)?.deprecationReason
        else { return }
        context.report(
            "The enum value \"\(enumeration.name).\(name)\" is deprecated. \(reason)", at: value.location)
    }
}

/// Spec: 5.8.2 Variables Are Input Types
struct VariablesAreInputTypes: ValidationRule {
    func enter(_ definition: VariableDefinition, _ context: inout ValidationContext) {
        guard let type = context.schema.typeReference(for: definition.type),
            !context.schema[type.namedType].isInput
        else { return }
        context.report(
            "Variable \"$\(definition.name.value)\" cannot be non-input type \"\(context.notation(of: type))\".",
            at: definition.type.location)
    }
}

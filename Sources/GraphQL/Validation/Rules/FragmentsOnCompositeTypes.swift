/// Spec: 5.5.1.3 Fragments on Object, Interface or Union Types
struct FragmentsOnCompositeTypes: ValidationRule {
    func enter(_ fragment: InlineFragment, _ context: inout ValidationContext) {
        guard let condition = fragment.typeCondition, isLeafOrInput(condition, context.schema) else { return }
        context.report(
            "Fragment cannot condition on non composite type \"\(condition.name.value)\".", at: condition.location)
    }

    func enter(_ fragment: FragmentDefinition, _ context: inout ValidationContext) {
        let condition = fragment.typeCondition
        guard isLeafOrInput(condition, context.schema) else { return }
        context.report(
            "Fragment \"\(fragment.name.value)\" cannot condition on non composite type \"\(condition.name.value)\".",
            at: condition.location)
    }

    private func isLeafOrInput(_ condition: NamedTypeNode, _ schema: Schema) -> Bool {
        schema.type(named: condition.name.value).map { !$0.isComposite } ?? false
    }
}

/// Spec: 5.5.2.3 Fragment Spread Is Possible
struct PossibleFragmentSpreads: ValidationRule {
    func enter(_ fragment: InlineFragment, _ context: inout ValidationContext) {
        guard let type = context.fragmentType, let parentType = context.parentType,
            !context.schema.overlap(type, parentType)
        else { return }
        context.report("Fragment \(impossible(type, in: parentType, context.schema))", at: fragment.location)
    }

    func enter(_ spread: FragmentSpread, _ context: inout ValidationContext) {
        guard let fragment = context.fragmentOfSpread, let parentType = context.parentType,
            let type = context.schema.compositeType(
                named: context.index.fragments[fragment].definition.typeCondition.name.value),
            !context.schema.overlap(type, parentType)
        else { return }
        let reason = impossible(type, in: parentType, context.schema)
        context.report("Fragment \"\(spread.name.value)\" \(reason)", at: spread.location)
    }

    private func impossible(_ type: TypeIndex, in parentType: TypeIndex, _ schema: Schema) -> String {
        "cannot be spread here as objects of type \"\(schema[parentType].name)\" "
            + "can never be of type \"\(schema[type].name)\"."
    }
}

extension Schema {
    /// True where an object can be of both types.
    func overlap(_ first: TypeIndex, _ second: TypeIndex) -> Bool {
        first == second || possibleTypes[first.rawValue].contains { isPossible($0, for: second) }
    }
}

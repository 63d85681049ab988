/// Spec: 5.3.3 Leaf Field Selections
struct ScalarLeafs: ValidationRule {
    @inline(__always)
    func enter(_ field: Field, _ context: inout ValidationContext) {
        guard let definition = context.field else { return }
        let isLeaf = context.schema[definition.namedType].isLeaf
        if isLeaf != (field.selectionSet == nil) { report(field, definition, &context) }
    }

    private func report(_ field: Field, _ definition: FieldType, _ context: inout ValidationContext) {
        let (name, type) = (field.name.value, context.notation(of: definition.type))
        if let selectionSet = field.selectionSet {
            context.report(
                "Field \"\(name)\" must not have a selection since type \"\(type)\" has no subfields.",
                at: selectionSet.location)
        } else {
            let suggestion = context.didYouMean(["\(name) { ... }"])
            context.report(
                "Field \"\(name)\" of type \"\(type)\" must have a selection of subfields.\(suggestion)",
                at: field.location)
        }
    }
}

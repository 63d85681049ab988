/// Spec: 5.5.1.4 Fragments Must Be Used
struct NoUnusedFragments: ValidationRule {
    func leave(_ document: Document, _ context: inout ValidationContext) {
        if context.index.fragments.isEmpty { return }
        var used = Set<Int32>()
        for operation in context.index.operations {
            for fragment in context.index.fragments(reachableFrom: operation) {
                used.insert(context.index.fragments[fragment].name)
            }
        }
        for fragment in context.index.fragments where !used.contains(fragment.name) {
            context.report(
                "Fragment \"\(fragment.definition.name.value)\" is never used.", at: fragment.definition.location)
        }
    }
}

/// Not of the specification: the lists `fields`, `inputFields`, `interfaces` and `possibleTypes` nest at most two deep
/// below `__schema` and `__type`, since each further level multiplies the answer by the number of types or fields.
struct MaxIntrospectionDepth: ValidationRule {
    private var roots: [(field: Int32, location: Location, ordinal: Int32)] = []

    mutating func enter(_ field: Field, _ context: inout ValidationContext) {
        guard ["__schema", "__type"].contains(field.name.value) else { return }
        roots.append((Int32(context.index.fields.count), field.location, context.reserveOrdinal()))
    }

    func leave(_ document: Document, _ context: inout ValidationContext) {
        if roots.isEmpty { return }
        let depths = IntrospectionDepth(context.index).depths
        let selections = Dictionary(
            context.index.selections.lazy.filter { $0.kind == .field }.map { ($0.position, $0.selectionSet) },
            uniquingKeysWith: { first, _ in first })
        for root in roots {
            guard let set = selections[root.field], set >= 0, depths[Int(set)].lists >= 3 else { continue }
            context.report("Maximum introspection depth exceeded", at: [root.location], ordinal: root.ordinal)
        }
    }
}

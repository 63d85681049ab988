/// Spec: 5.3.1 Field Selections
struct FieldsOnCorrectType: ValidationRule {
    @inline(__always)
    func enter(_ field: Field, _ context: inout ValidationContext) {
        if context.field == nil, let parentType = context.parentType { report(field, parentType, &context) }
    }

    private func report(_ field: Field, _ parentType: TypeIndex, _ context: inout ValidationContext) {
        let name = field.name.value
        let schema = context.schema
        context.report(
            "Cannot query field \"\(name)\" on type \"\(schema[parentType].name)\"."
                + (context.wantsSuggestions ? suggestion(for: name, on: parentType, schema) : ""),
            at: field.location)
    }

    private func suggestion(for field: String, on parentType: TypeIndex, _ schema: Schema) -> String {
        let types = typesWithField(field, among: parentType, schema)
        if !types.isEmpty { return didYouMean(types, "to use an inline fragment on") }
        return didYouMean(suggestionList(field, schema[parentType].fields.map(\.name)))
    }

    /// The possible types that have the field, and those of their interfaces that have it. An interface counts once for
    /// each of these possible types. The greatest count comes first. Where counts are equal, an interface comes before
    /// its implementations, and other types are ordered by name.
    private func typesWithField(_ field: String, among parentType: TypeIndex, _ schema: Schema) -> [String] {
        guard schema[parentType].isAbstract else { return [] }
        var uses: [(type: TypeIndex, count: Int)] = []
        func count(_ type: TypeIndex) {
            if let position = uses.firstIndex(where: { $0.type == type }) {
                uses[position].count += 1
            } else {
                uses.append((type, 1))
            }
        }
        for possible in schema.possibleTypes[parentType.rawValue] {
            guard case .object(let object) = schema[possible], object.fieldsByName[field] != nil else { continue }
            count(possible)
            for interface in object.interfaces where schema[interface].field(named: field) != nil { count(interface) }
        }
        func precedes(_ first: (type: TypeIndex, count: Int), _ second: (type: TypeIndex, count: Int)) -> Bool {
            if first.count != second.count { return first.count > second.count }
            if schema.isImplementation(second.type, of: first.type) { return true }
            if schema.isImplementation(first.type, of: second.type) { return false }
            return naturalOrder(schema[first.type].name, schema[second.type].name)
        }
        // The order is not transitive, so the outcome depends on the algorithm. A binary insertion sort gives the same
        // message as graphql-js, because V8 sorts short arrays in this way.
        var sorted: [(type: TypeIndex, count: Int)] = []
        for use in uses {
            var (low, high) = (0, sorted.count)
            while low < high {
                let middle = (low + high) / 2
                if precedes(use, sorted[middle]) { high = middle } else { low = middle + 1 }
            }
            sorted.insert(use, at: low)
        }
        return sorted.map { schema[$0.type].name }
    }
}

/// Spec: 5.8.1 Variable Uniqueness
struct UniqueVariableNames: ValidationRule {
    func enter(_ operation: OperationDefinition, _ context: inout ValidationContext) {
        for repeats in operation.variableDefinitions.repeated(by: \.name.value) {
            context.report(
                "There can be only one variable named \"$\(repeats[0].name.value)\".",
                at: repeats.map(\.name.location))
        }
    }
}

extension Array {
    /// The elements that share a name with others, grouped by name, in the order of each group's first element.
    func repeated(by name: (Element) -> String) -> [[Element]] {
        if areFewAndUnique(name) { return [] }
        var positions: [String: Int] = [:]
        var groups: [[Element]] = []
        for element in self {
            let next = groups.count
            let position = positions[name(element), default: next]
            if position == next {
                positions[name(element)] = next
                groups.append([element])
            } else {
                groups[position].append(element)
            }
        }
        return groups.filter { $0.count > 1 }
    }

    /// True for at most six elements with different names: the common case, found without a hash table.
    private func areFewAndUnique(_ name: (Element) -> String) -> Bool {
        guard count <= 6 else { return false }
        for first in indices {
            for second in indices.dropFirst(first + 1) where name(self[first]) == name(self[second]) { return false }
        }
        return true
    }
}

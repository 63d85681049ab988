extension Schema {
    func isObject(_ type: TypeIndex) -> Bool { if case .object = self[type] { true } else { false } }

    /// True where the types of two fields with the same response name have different shapes. The subselections of
    /// composite types are not compared here.
    /// Spec: 5.3.2 SameResponseShape
    func shapesConflict(_ first: TypeReference, _ second: TypeReference) -> Bool {
        switch (first, second) {
        case (.nonNull(let first), .nonNull(let second)), (.list(let first), .list(let second)):
            shapesConflict(first, second)
        case (.named(let first), .named(let second)):
            first != second && (self[first].isLeaf || self[second].isLeaf)
        case (.nonNull, _), (_, .nonNull), (.list, _), (_, .list): true
        }
    }
}

/// True where both lists have the same arguments with the same values, in any order.
func haveSameArguments(_ first: [Argument], _ second: [Argument]) -> Bool {
    guard first.count == second.count else { return false }
    return first.allSatisfy { argument in
        guard let other = second.last(where: { $0.name.value == argument.name.value }) else { return false }
        return argument.value.isSame(as: other.value)
    }
}

extension Value {
    /// True where both literals are the same. Numbers are compared as they are written: `1.0` and `1.00` differ. The
    /// order of an object's fields does not matter.
    func isSame(as other: Value) -> Bool {
        switch (kind, other.kind) {
        case (.variable(let first), .variable(let second)), (.int(let first), .int(let second)),
            (.float(let first), .float(let second)), (.enumeration(let first), .enumeration(let second)):
            first == second
        case (.string(let first), .string(let second)): first.value == second.value
        case (.boolean(let first), .boolean(let second)): first == second
        case (.null, .null): true
        case (.list(let first), .list(let second)):
            first.count == second.count && zip(first, second).allSatisfy { $0.isSame(as: $1) }
        case (.object(let first), .object(let second)):
            first.count == second.count
                && zip(first.sortedByName, second.sortedByName).allSatisfy {
                    $0.name.value == $1.name.value && $0.value.isSame(as: $1.value)
                }
        default: false
        }
    }
}

extension [ObjectField] {
    fileprivate var sortedByName: Self { sorted { $0.name.value < $1.name.value } }
}

/// True where neither field has @stream, or both have @stream with the same arguments.
/// Spec: incremental delivery, 5.3.2 SameStreamDirective
func haveSameStream(_ first: FieldRecord, _ second: FieldRecord) -> Bool {
    switch (first.stream, second.stream) {
    case (nil, nil): true
    case (let first?, let second?): haveSameArguments(first, second)
    default: false
    }
}

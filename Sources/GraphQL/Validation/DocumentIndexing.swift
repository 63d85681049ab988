/// How the traversal fills the index.
extension DocumentIndex {
    mutating func appendOperation(_ operation: OperationDefinition) {
        var variables: [Int32] = []
        for definition in operation.variableDefinitions { variables.append(names.id(of: definition.name.value)) }
        operations.append(OperationRecord(definition: operation, variables: variables))
    }

    /// A set's selections lie together, so their places are taken before what is inside them is visited.
    mutating func appendSelectionSet(count: Int, parentType: TypeIndex?) -> Int {
        selectionSets.append(
            SelectionSetRecord(
                first: Int32(selections.count), count: Int32(count), parentType: parentType))
        for _ in 0..<count { selections.append(SelectionRecord()) }
        return selectionSets.count - 1
    }

    mutating func appendField(_ field: Field, name: Int32, _ definition: FieldType?, at record: Int) {
        let responseName = field.alias.map { names.id(of: $0.value) } ?? name
        selections[record] = SelectionRecord(kind: .field, position: Int32(fields.count), name: responseName)
        fields.append(
            FieldRecord(
                name: name, location: field.location, definition: definition.map(Unmanaged.passUnretained),
                arguments: field.arguments, hasAlias: field.alias != nil,
                stream: field.directives.isEmpty
                    ? nil : field.directives.first { $0.name.value == "stream" }?.arguments))
    }

    /// The fragment that it spreads.
    mutating func appendSpread(_ spread: FragmentSpread, at record: Int) -> Int? {
        let name = names.id(of: spread.name.value)
        let fragment = fragment(named: name)
        selections[record] = SelectionRecord(kind: .spread, position: Int32(spreads.count), name: name)
        spreads.append(
            SpreadRecord(
                name: name, location: spread.location, fragment: fragment.map(Int32.init) ?? -1))
        return fragment
    }

    mutating func scope(of selectionSet: Int32, usagesFrom first: Int) -> DefinitionScope {
        defer { directives = 0 }
        var spreads: [Int32] = []
        var pending = [selectionSet]
        while let set = pending.popLast() {
            for selection in self[selectionsOf: set] {
                if selection.kind == .spread {
                    spreads.append(selection.position)
                } else if selection.selectionSet >= 0 {
                    pending.append(selection.selectionSet)
                }
            }
        }
        return DefinitionScope(
            selectionSet: selectionSet, selectionSets: Int(selectionSet)..<selectionSets.count,
            directives: directives, variableUsages: first..<variableUsages.count, spreads: spreads)
    }

    subscript(selectionsOf set: Int32) -> ArraySlice<SelectionRecord> {
        let record = selectionSets[Int(set)]
        return selections[Int(record.first)..<Int(record.first + record.count)]
    }

    /// The fragments, each after those that it spreads; where they form a cycle, one of them comes too early.
    var fragmentsBottomUp: [Int] {
        var order: [Int] = []
        var isEntered = [Bool](repeating: false, count: fragments.count)
        for root in fragments.indices where !isEntered[root] {
            isEntered[root] = true
            var path = [(fragment: root, nextSpread: 0)]
            while let (fragment, nextSpread) = path.last {
                let spreads = fragments[fragment].scope.spreads
                guard nextSpread < spreads.count else {
                    order.append(fragment)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].nextSpread += 1
                let target = Int(self.spreads[Int(spreads[nextSpread])].fragment)
                if target < 0 || isEntered[target] { continue }
                isEntered[target] = true
                path.append((target, 0))
            }
        }
        return order
    }

    /// Every selection set after those inside it and those of the fragments that it spreads.
    func forEachSelectionSetBottomUp(_ body: (_ set: Int) -> Void) {
        for fragment in fragmentsBottomUp { fragments[fragment].scope.selectionSets.reversed().forEach(body) }
        for operation in operations { operation.scope.selectionSets.reversed().forEach(body) }
    }

    /// The root selection set of the fragment that a spread means, or -1.
    func selectionSet(ofSpread position: Int32) -> Int {
        let fragment = Int(spreads[Int(position)].fragment)
        return fragment < 0 ? -1 : Int(fragments[fragment].scope.selectionSet)
    }
}

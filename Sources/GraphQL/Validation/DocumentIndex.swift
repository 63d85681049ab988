/// The selections of a document in flat arrays, with their types resolved, for rules and measures that look at several
/// places at once. The traversal fills it once for each document.
struct DocumentIndex {
    var names = NameTable()
    var selectionSets: [SelectionSetRecord] = []
    var selections: [SelectionRecord] = []
    var fields: [FieldRecord] = []
    var spreads: [SpreadRecord] = []
    var variableUsages: [VariableUsage] = []
    var operations: [OperationRecord] = []
    /// In the order of definition, including fragments that repeat a name.
    var fragments: [FragmentRecord] = []
    /// By a name's number in `names`: the last fragment of that name, to which spreads of the name refer, or -1.
    private var fragmentsByName: [Int32] = []
    /// The greatest number of directives at one location of the current definition.
    var directives = 0

    init(_ document: Document) {
        for case .fragment(let definition) in document.definitions {
            let name = names.id(of: definition.name.value)
            while fragmentsByName.count <= Int(name) { fragmentsByName.append(-1) }
            fragmentsByName[Int(name)] = Int32(fragments.count)
            fragments.append(FragmentRecord(name: name, definition: definition))
        }
    }

    func fragment(named name: Int32) -> Int? {
        guard Int(name) < fragmentsByName.count, fragmentsByName[Int(name)] >= 0 else { return nil }
        return Int(fragmentsByName[Int(name)])
    }

    // MARK: - Filled by the traversal

    mutating func appendOperation(_ operation: OperationDefinition) {
        var variables: [Int32] = []
        for definition in operation.variableDefinitions { variables.append(names.id(of: definition.name.value)) }
        operations.append(OperationRecord(definition: operation, variables: variables))
    }

    /// Reserves contiguous places for a set's selections, before the sets inside them are visited.
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

    /// - Returns: the position of the fragment; nil where the document has no fragment of the name.
    mutating func appendSpread(_ spread: FragmentSpread, at record: Int) -> Int? {
        let name = names.id(of: spread.name.value)
        let fragment = fragment(named: name)
        selections[record] = SelectionRecord(kind: .spread, position: Int32(spreads.count), name: name)
        spreads.append(
            SpreadRecord(
                name: name, location: spread.location, fragment: fragment.map(Int32.init) ?? -1))
        return fragment
    }

    /// The scope of a definition with this selection set, and with the variable usages from `first` on.
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

    // MARK: - Asked by the rules

    /// The selections of a set.
    subscript(selectionsOf set: Int32) -> ArraySlice<SelectionRecord> {
        let record = selectionSets[Int(set)]
        return selections[Int(record.first)..<Int(record.first + record.count)]
    }

    /// The fragments, each after those that it spreads, except where spreads form a cycle.
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

    /// The fragments that an operation spreads, transitively, each once.
    func fragments(reachableFrom operation: OperationRecord) -> [Int] {
        if operation.scope.spreads.isEmpty { return [] }
        var found: [Int] = []
        var seen = [Bool](repeating: false, count: fragments.count)
        var pending = [operation.scope.spreads]
        while let spreads = pending.popLast() {
            for spread in spreads {
                let fragment = Int(self.spreads[Int(spread)].fragment)
                if fragment < 0 || seen[fragment] { continue }
                seen[fragment] = true
                found.append(fragment)
                pending.append(fragments[fragment].scope.spreads)
            }
        }
        return found
    }

    /// Visits every selection set after those inside it and, except in a cycle, those of the fragments that it spreads.
    func forEachSelectionSetBottomUp(_ body: (_ set: Int) -> Void) {
        for fragment in fragmentsBottomUp { fragments[fragment].scope.selectionSets.reversed().forEach(body) }
        for operation in operations { operation.scope.selectionSets.reversed().forEach(body) }
    }

    /// The root selection set of the fragment to which a spread refers, or -1.
    func selectionSet(ofSpread position: Int32) -> Int {
        let fragment = Int(spreads[Int(position)].fragment)
        return fragment < 0 ? -1 : Int(fragments[fragment].scope.selectionSet)
    }
}

struct SelectionSetRecord {
    /// The range in `DocumentIndex.selections`.
    var first: Int32
    var count: Int32
    /// nil where the schema does not have the type, or where the type is no object type, interface or union.
    var parentType: TypeIndex?
    /// The place in the order of errors for the set's field conflicts, which are found at the end of the traversal.
    var ordinal: Int32 = 0
}

struct SelectionRecord {
    enum Kind: UInt8 { case field, spread, inlineFragment }

    var kind: Kind = .field
    /// A field's position in `fields`, or a spread's in `spreads`.
    var position: Int32 = -1
    /// A field's response name, or the name of the fragment that is spread: a number in `names`.
    var name: Int32 = -1
    /// The selection set inside a field or an inline fragment, or -1.
    var selectionSet: Int32 = -1
}

struct FieldRecord {
    var name: Int32
    var location: Location
    /// Unmanaged, since the schema outlives the index.
    var definition: Unmanaged<FieldType>?
    var arguments: [Argument]
    var hasAlias: Bool
    /// The arguments of its @stream; nil without one.
    var stream: [Argument]?
}

struct SpreadRecord {
    var name: Int32
    var location: Location
    /// The position in `DocumentIndex.fragments`, or -1.
    var fragment: Int32
}

struct VariableUsage {
    var name: Int32
    var location: Location
    /// The type of the position; nil where the schema does not have the position.
    var type: TypeReference?
    /// True where the position has a default.
    var hasDefault: Bool
    var oneOf: OneOfPosition?

    /// A field of a OneOf input object.
    struct OneOfPosition {
        var type: TypeIndex
        /// True where the type of the object's position is a list or non-null.
        var isWrapped: Bool
    }
}

struct OperationRecord {
    var definition: OperationDefinition
    /// The names of the variables that it defines, in their order.
    var variables: [Int32]
    var scope = DefinitionScope()
}

struct FragmentRecord {
    var name: Int32
    var definition: FragmentDefinition
    var scope = DefinitionScope()

    init(name: Int32, definition: FragmentDefinition) {
        self.name = name
        self.definition = definition
    }
}

/// The parts of one operation or fragment, without those of the fragments that it spreads.
struct DefinitionScope {
    var selectionSet: Int32 = -1
    /// Positions in `DocumentIndex.selectionSets`: each set before those inside it.
    var selectionSets = 0..<0
    /// The greatest number of directives at one location.
    var directives = 0
    var variableUsages = 0..<0
    /// Positions in `DocumentIndex.spreads`: a selection set's own spreads in their order, then those of the sets
    /// inside it, from the last set to the first.
    var spreads: [Int32] = []
}

/// Finds each conflict between two fields, in the order of graphql-js. The fields of a selection set are compared with
/// each other first. Then each fragment that the set spreads is compared with the set, and with the fragments spread
/// after it. A set and a fragment, or two fragments, are compared once. They are compared a second time only if the
/// first comparison took their fields as mutually exclusive and the second does not. `ComparisonBudget` bounds the
/// search.
/// Spec: 5.3.2 Field Selection Merging
struct ConflictSearch {
    private struct FieldsAndFragments {
        /// The fields by response name, in the order of the first field of each.
        var groups: [(name: Int32, fields: [Member])] = []
        var positions: [Int32: Int] = [:]
        /// The names of the fragments that are spread, each once.
        var fragments: [Int32] = []
    }

    private struct Member {
        var selection: SelectionRecord
        var parentType: TypeIndex?
    }

    fileprivate struct Pair: Hashable {
        var first: Int32
        var second: Int32
    }

    private let index: DocumentIndex
    private let schema: Schema
    private var budget: ComparisonBudget
    private var collected: [Int32: FieldsAndFragments] = [:]
    /// The pairs that were compared so far: a selection set and a fragment in the first dictionary, two fragments in
    /// the second. The value is true where the pair was compared only as mutually exclusive.
    private var comparedWithFragment: [Pair: Bool] = [:]
    private var comparedFragments: [Pair: Bool] = [:]
    /// The number of conflicts that is enough for one selection set. It is checked only before each pair of the set's
    /// own fields. Where it is reached there, the search of the set ends, without the comparisons with fragments.
    var conflictsWanted = Int.max

    init(_ index: DocumentIndex, _ schema: Schema, maximum: Int) {
        self.index = index
        self.schema = schema
        budget = ComparisonBudget(maximum: maximum)
    }

    mutating func conflicts(within set: Int32) throws(ComparisonLimit) -> [FieldConflict] {
        var conflicts: [FieldConflict] = []
        let own = fieldsAndFragments(of: set)
        for (name, fields) in own.groups {
            for first in fields.indices {
                for second in fields[(first + 1)...] {
                    if conflicts.count >= conflictsWanted { return conflicts }
                    try compare(name, fields[first], second, isExclusive: false, 0, &conflicts)
                }
            }
        }
        for (position, fragment) in own.fragments.enumerated() {
            try compare(set, withFragment: fragment, isExclusive: false, 0, &conflicts)
            for other in own.fragments[(position + 1)...] {
                try compareFragments(fragment, other, isExclusive: false, 0, &conflicts)
            }
        }
        return conflicts
    }

    // MARK: Between sets

    private mutating func compare(
        _ set: Int32, withFragment fragment: Int32, isExclusive: Bool, _ depth: Int,
        _ conflicts: inout [FieldConflict]
    ) throws(ComparisonLimit) {
        try budget.visit()
        guard comparedWithFragment.note(Pair(first: set, second: fragment), isExclusive: isExclusive),
            let other = selectionSet(ofFragment: fragment), other != set
        else { return }
        try budget.enter(depth: depth)
        try compareSets(set, other, isExclusive: isExclusive, depth, &conflicts)
        for spread in fieldsAndFragments(of: other).fragments {
            try compare(set, withFragment: spread, isExclusive: isExclusive, depth + 1, &conflicts)
        }
    }

    private mutating func compareFragments(
        _ first: Int32, _ second: Int32, isExclusive: Bool, _ depth: Int, _ conflicts: inout [FieldConflict]
    ) throws(ComparisonLimit) {
        try budget.visit()
        if first == second { return }
        let pair = Pair(first: min(first, second), second: max(first, second))
        guard comparedFragments.note(pair, isExclusive: isExclusive),
            let firstSet = selectionSet(ofFragment: first), let secondSet = selectionSet(ofFragment: second)
        else { return }
        try budget.enter(depth: depth)
        try compareSets(firstSet, secondSet, isExclusive: isExclusive, depth, &conflicts)
        for spread in fieldsAndFragments(of: secondSet).fragments {
            try compareFragments(first, spread, isExclusive: isExclusive, depth + 1, &conflicts)
        }
        for spread in fieldsAndFragments(of: firstSet).fragments {
            try compareFragments(spread, second, isExclusive: isExclusive, depth + 1, &conflicts)
        }
    }

    private mutating func compareSets(
        _ first: Int32, _ second: Int32, isExclusive: Bool, _ depth: Int, _ conflicts: inout [FieldConflict]
    ) throws(ComparisonLimit) {
        let (firstFields, secondFields) = (fieldsAndFragments(of: first), fieldsAndFragments(of: second))
        for (name, fields) in firstFields.groups {
            try budget.visit()
            guard let position = secondFields.positions[name] else { continue }
            for field in fields {
                for other in secondFields.groups[position].fields {
                    try compare(name, field, other, isExclusive: isExclusive, depth, &conflicts)
                }
            }
        }
    }

    private mutating func compareSubselections(
        _ first: Int32, _ second: Int32, isExclusive: Bool, _ depth: Int
    ) throws(ComparisonLimit) -> [FieldConflict] {
        var conflicts: [FieldConflict] = []
        try compareSets(first, second, isExclusive: isExclusive, depth, &conflicts)
        let firstFragments = fieldsAndFragments(of: first).fragments
        let secondFragments = fieldsAndFragments(of: second).fragments
        for fragment in secondFragments {
            try compare(first, withFragment: fragment, isExclusive: isExclusive, depth, &conflicts)
        }
        for fragment in firstFragments {
            try compare(second, withFragment: fragment, isExclusive: isExclusive, depth, &conflicts)
        }
        for fragment in firstFragments {
            for other in secondFragments {
                try compareFragments(fragment, other, isExclusive: isExclusive, depth, &conflicts)
            }
        }
        return conflicts
    }

    // MARK: Between two fields

    private mutating func compare(
        _ name: Int32, _ first: Member, _ second: Member, isExclusive: Bool, _ depth: Int,
        _ conflicts: inout [FieldConflict]
    ) throws(ComparisonLimit) {
        try budget.compare()
        try budget.enter(depth: depth)
        let (firstField, secondField) = (field(first), field(second))
        let isExclusive = isExclusive || areExclusive(first.parentType, second.parentType)
        if let difference = difference(firstField, secondField, isExclusive: isExclusive) {
            conflicts.append(
                FieldConflict(
                    responseName: name, kind: .own(difference), firstLocations: [firstField.location],
                    secondLocations: [secondField.location]))
            return
        }
        guard first.selection.selectionSet >= 0, second.selection.selectionSet >= 0 else { return }
        let inner = try compareSubselections(
            first.selection.selectionSet, second.selection.selectionSet, isExclusive: isExclusive, depth + 1)
        if inner.isEmpty { return }
        conflicts.append(
            FieldConflict(
                responseName: name, kind: .subfields(inner),
                firstLocations: [firstField.location] + inner.flatMap(\.firstLocations),
                secondLocations: [secondField.location] + inner.flatMap(\.secondLocations)))
    }

    /// True where the parents of two fields have different object types. No object has both types, so a response never
    /// has both fields in one place, and they may be different fields. Interfaces and unions that have no object type
    /// in common are not exclusive, since a later version of the schema may add one.
    private func areExclusive(_ first: TypeIndex?, _ second: TypeIndex?) -> Bool {
        guard let first, let second, first != second else { return false }
        return schema.isObject(first) && schema.isObject(second)
    }

    private func difference(_ first: FieldRecord, _ second: FieldRecord, isExclusive: Bool) -> String? {
        if !isExclusive {
            if first.name != second.name {
                let names = index.names
                return "\"\(names.name(first.name))\" and \"\(names.name(second.name))\" are different fields"
            }
            if !haveSameArguments(first.arguments, second.arguments) { return "they have differing arguments" }
            if !haveSameStream(first, second) { return "they have differing stream directives" }
        }
        guard let firstType = first.definition?.takeUnretainedValue().type,
            let secondType = second.definition?.takeUnretainedValue().type,
            schema.shapesConflict(firstType, secondType)
        else { return nil }
        let (firstNotation, secondNotation) = (schema.notation(of: firstType), schema.notation(of: secondType))
        return "they return conflicting types \"\(firstNotation)\" and \"\(secondNotation)\""
    }

    private func field(_ member: Member) -> FieldRecord { index.fields[Int(member.selection.position)] }

    private func selectionSet(ofFragment name: Int32) -> Int32? {
        guard let fragment = index.fragment(named: name) else { return nil }
        let selectionSet = index.fragments[fragment].scope.selectionSet
        return selectionSet >= 0 ? selectionSet : nil
    }

    private mutating func fieldsAndFragments(of set: Int32) -> FieldsAndFragments {
        if let known = collected[set] { return known }
        var result = FieldsAndFragments()
        collect(set, &result)
        collected[set] = result
        return result
    }

    private func collect(_ set: Int32, _ result: inout FieldsAndFragments) {
        let parentType = index.selectionSets[Int(set)].parentType
        for selection in index[selectionsOf: set] {
            switch selection.kind {
            case .field:
                let member = Member(selection: selection, parentType: parentType)
                if let position = result.positions[selection.name] {
                    result.groups[position].fields.append(member)
                } else {
                    result.positions[selection.name] = result.groups.count
                    result.groups.append((selection.name, [member]))
                }
            case .spread:
                if !result.fragments.contains(selection.name) { result.fragments.append(selection.name) }
            case .inlineFragment: collect(selection.selectionSet, &result)
            }
        }
    }
}

extension [ConflictSearch.Pair: Bool] {
    /// Notes a comparison, and returns whether it is still to be made. No pair is compared twice in the same way. A
    /// pair that was compared as not exclusive is not compared as exclusive either: that comparison finds no more.
    fileprivate mutating func note(_ pair: Key, isExclusive: Bool) -> Bool {
        if let known = self[pair], isExclusive || !known { return false }
        self[pair] = isExclusive
        return true
    }
}

/// Two fields that cannot be merged, because of themselves or of the selections inside them.
struct FieldConflict {
    indirect enum Kind {
        case own(String)
        case subfields([FieldConflict])
    }

    var responseName: Int32
    var kind: Kind
    var firstLocations: [Location]
    var secondLocations: [Location]

    func reason(_ names: NameTable) -> String {
        switch kind {
        case .own(let reason): reason
        case .subfields(let conflicts):
            conflicts.map { "subfields \"\(names.name($0.responseName))\" conflict because \($0.reason(names))" }
                .joined(separator: " and ")
        }
    }
}

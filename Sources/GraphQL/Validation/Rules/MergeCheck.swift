/// Checks whether all fields of a document can be merged, without comparing all pairs. The fields of a response name
/// are compared with the first of them. Their selection sets are then checked as one, the `mergedSet` of the
/// specification. Selection sets that were checked together are not checked together again.
/// Spec: 5.3.2 FieldsInSetCanMerge, SameResponseShape
struct MergeCheck {
    private enum Mode { case fields, shapes }

    private struct Task {
        var sets: [Int32]
        var mode: Mode
    }

    private struct Entry {
        var selection: Int32
        var parentType: TypeIndex?
        /// The next entry of the same response name, or -1.
        var next: Int32 = -1
    }

    private struct Group {
        var first: Int32
        var last: Int32
    }

    private let index: DocumentIndex
    private let schema: Schema
    private var budget: ComparisonBudget
    private var pending: [Task] = []
    /// By position, whether a selection set was checked alone.
    private var checked: [Bool]
    /// Groups of sets that were checked as one, sorted. A leading -1 says that only their shapes were checked.
    private var checkedTogether: Set<[Int32]> = []
    private var coveredFragments: [Bool]

    // The fields of the current task, whose number is `epoch`. Elements of `groupOfName` and `fragmentEpochs` that have
    // the number of an earlier task do not count, so these two arrays are never cleared.
    private var epoch: Int32 = 0
    private var entries: [Entry] = []
    private var groups: [Group] = []
    private var groupOfName: [(epoch: Int32, group: Int32)]
    private var fragmentEpochs: [Int32]
    private var openSets: [Int32] = []

    init(_ index: DocumentIndex, _ schema: Schema, maximum: Int) {
        self.index = index
        self.schema = schema
        budget = ComparisonBudget(maximum: maximum)
        checked = [Bool](repeating: false, count: index.selectionSets.count)
        coveredFragments = [Bool](repeating: false, count: index.fragments.count)
        groupOfName = [(Int32, Int32)](repeating: (0, 0), count: index.names.count)
        fragmentEpochs = [Int32](repeating: 0, count: index.fragments.count)
    }

    mutating func canMergeAll() throws(ComparisonLimit) -> Bool {
        for operation in index.operations {
            guard try canMerge(from: operation.scope.selectionSet) else { return false }
        }
        // Checking a fragment also checks the fragments that it spreads. So the first pass takes the fragments that are
        // not spread, and the second those that are left, such as cycles.
        var isSpread = [Bool](repeating: false, count: index.fragments.count)
        for spread in index.spreads where spread.fragment >= 0 { isSpread[Int(spread.fragment)] = true }
        for pass in [false, true] {
            for fragment in index.fragments.indices where isSpread[fragment] == pass && !coveredFragments[fragment] {
                guard try canMerge(from: index.fragments[fragment].scope.selectionSet) else { return false }
            }
        }
        return true
    }

    private mutating func canMerge(from set: Int32) throws(ComparisonLimit) -> Bool {
        if set < 0 { return true }
        pending.append(Task(sets: [set], mode: .fields))
        while let task = pending.popLast() {
            guard try canMerge(task) else { return false }
        }
        return true
    }

    private mutating func canMerge(_ task: Task) throws(ComparisonLimit) -> Bool {
        try collect(task)
        for group in groups {
            if group.first == group.last {
                let selectionSet = selection(group.first).selectionSet
                if selectionSet >= 0 { enqueue(one: selectionSet, task.mode) }
            } else if !(try canMerge(group, task.mode)) {
                return false
            }
        }
        return true
    }

    // MARK: Collecting

    private mutating func collect(_ task: Task) throws(ComparisonLimit) {
        epoch += 1
        entries.removeAll(keepingCapacity: true)
        groups.removeAll(keepingCapacity: true)
        openSets.append(contentsOf: task.sets)
        while let set = openSets.popLast() {
            let record = index.selectionSets[Int(set)]
            for position in record.first..<(record.first + record.count) {
                try budget.visit()
                let selection = index.selections[Int(position)]
                switch selection.kind {
                case .field: add(position, name: selection.name, record.parentType)
                case .inlineFragment: openSets.append(selection.selectionSet)
                case .spread:
                    let fragment = Int(index.spreads[Int(selection.position)].fragment)
                    if fragment < 0 || fragmentEpochs[fragment] == epoch { continue }
                    fragmentEpochs[fragment] = epoch
                    if task.mode == .fields { coveredFragments[fragment] = true }
                    let selectionSet = index.fragments[fragment].scope.selectionSet
                    if selectionSet >= 0 { openSets.append(selectionSet) }
                }
            }
        }
    }

    private mutating func add(_ selection: Int32, name: Int32, _ parentType: TypeIndex?) {
        let entry = Int32(entries.count)
        entries.append(Entry(selection: selection, parentType: parentType))
        let known = groupOfName[Int(name)]
        if known.epoch == epoch {
            entries[Int(groups[Int(known.group)].last)].next = entry
            groups[Int(known.group)].last = entry
        } else {
            groupOfName[Int(name)] = (epoch, Int32(groups.count))
            groups.append(Group(first: entry, last: entry))
        }
    }

    // MARK: Comparing

    private mutating func canMerge(_ group: Group, _ mode: Mode) throws(ComparisonLimit) -> Bool {
        let members = members(of: group)
        guard try haveSameShape(members) else { return false }
        if mode == .shapes {
            enqueue(members, .shapes)
            return true
        }
        let objectTypes = distinctObjectTypes(members)
        if objectTypes.count < 2 {
            guard try areSameField(members) else { return false }
            enqueue(members, .fields)
            return true
        }
        // No object is of two object types, so their fields need not be the same, but must have the same shape.
        for objectType in objectTypes {
            let partition = members.filter { $0.parentType == objectType || !isObject($0.parentType) }
            guard try areSameField(partition) else { return false }
            enqueue(partition, .fields)
        }
        enqueue(members, .shapes)
        return true
    }

    private mutating func haveSameShape(_ members: [Entry]) throws(ComparisonLimit) -> Bool {
        var first: Unmanaged<FieldType>?
        for member in members {
            try budget.compare()
            guard let definition = field(member).definition else { continue }
            guard let known = first else {
                first = definition
                continue
            }
            if known.toOpaque() == definition.toOpaque() { continue }
            let conflict = known._withUnsafeGuaranteedRef { known in
                definition._withUnsafeGuaranteedRef { schema.shapesConflict(known.type, $0.type) }
            }
            if conflict { return false }
        }
        return true
    }

    private func areSameField(_ members: [Entry]) throws(ComparisonLimit) -> Bool {
        guard let first = members.first.map(field) else { return true }
        return members.dropFirst().allSatisfy { member in
            let field = field(member)
            return field.name == first.name && haveSameArguments(field.arguments, first.arguments)
                && haveSameStream(field, first)
        }
    }

    private mutating func enqueue(_ members: [Entry], _ mode: Mode) {
        var sets = members.compactMap { member in
            let selectionSet = index.selections[Int(member.selection)].selectionSet
            return selectionSet >= 0 ? selectionSet : nil
        }
        guard sets.count > 1 else {
            if let set = sets.first { enqueue(one: set, mode) }
            return
        }
        sets.sort()
        if mode == .shapes, checkedTogether.contains(sets) { return }
        if checkedTogether.insert(mode == .fields ? sets : [-1] + sets).inserted {
            pending.append(Task(sets: sets, mode: mode))
        }
    }

    private mutating func enqueue(one set: Int32, _ mode: Mode) {
        // The check of a set alone covers its shapes, too.
        if checked[Int(set)] { return }
        checked[Int(set)] = true
        pending.append(Task(sets: [set], mode: .fields))
    }

    private func members(of group: Group) -> [Entry] {
        var members: [Entry] = []
        var next = group.first
        while next >= 0 {
            members.append(entries[Int(next)])
            next = entries[Int(next)].next
        }
        return members
    }

    private func distinctObjectTypes(_ members: [Entry]) -> [TypeIndex] {
        var types: [TypeIndex] = []
        for case let type? in members.lazy.map(\.parentType) where isObject(type) && !types.contains(type) {
            types.append(type)
        }
        return types
    }

    private func isObject(_ type: TypeIndex?) -> Bool { type.map { schema.isObject($0) } ?? false }

    private func selection(_ entry: Int32) -> SelectionRecord { index.selections[Int(entries[Int(entry)].selection)] }

    private func field(_ entry: Entry) -> FieldRecord {
        index.fields[Int(index.selections[Int(entry.selection)].position)]
    }
}

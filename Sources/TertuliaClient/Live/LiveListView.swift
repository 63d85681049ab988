import GRDB

/// The rows of a list in memory. After a change only the rows that the change concerns are read again.
struct LiveListView<Row: SelectedObject> {
    private let name: String
    private let listKey: String
    private let rowsKey: String
    private let variables: JSONObject
    private let addresses: SignedAddresses
    /// The keys whose changes concern the list.
    private(set) var dependencies: Set<String>
    private var list = PatchedList()
    private var rows: [String: Row] = [:]
    /// The rows that can be shown, in the list's order, with their keys.
    private var shown: (ids: [String], rows: [Row]) = ([], [])
    /// The entries of the outbox that change objects, by the objects' keys.
    private var writes: [String: [String]] = [:]
    /// The keys of `rows`, and of rows that could not be read.
    private var known: Set<String> = []
    /// The rows that have looked up a record, by the record's key.
    private var dependents: [String: Set<String>] = [:]
    /// The number of the last transaction that `rows` show; nil before the first read.
    private var transaction: Int64?

    init(name: String, variables: JSONObject, addresses: SignedAddresses) {
        self.name = name
        listKey = ListTable.changeKey(of: name)
        rowsKey = ListTable.changeKey(ofRowsIn: name)
        self.variables = variables
        self.addresses = addresses
        dependencies = [listKey, rowsKey]
    }

    /// Reads the changes since the last read. Rows, order and state are of one moment: they come from one snapshot.
    func read(_ changes: ChangedKeys, in database: Database) throws -> Answer {
        var answer = Answer(transaction: try ChangedKeys.number(in: database))
        let changed = transaction.flatMap { changes.keys(after: $0, upTo: answer.transaction) }
        var stale: Set<String> = []
        for key in changed ?? [] { stale.formUnion(dependents[key] ?? []) }
        if let changed, let (next, moves) = try moves(changed, in: database) {
            if let next { answer.order = .moved(next, moves) }
            stale.formUnion(moves.compactMap { $0.place == nil || known.contains($0.key) ? nil : $0.key })
        } else {
            let list = try PatchedList(name, in: database)
            answer.order = .whole(list)
            // Every row may have changed where the changed keys are unknown.
            stale.formUnion(changed == nil ? list.keys : list.keys.filter { !known.contains($0) })
        }
        if changed?.contains(Outbox.key) ?? true { answer.writes = try OutboxTable.writes(of: name, in: database) }
        let added = if case .whole(let next) = answer.order { next.added } else { list.added }
        for key in stale {
            var reader = RecordReader(variables: variables, addresses: addresses) {
                try RecordTable.patched($0, in: database)
            }
            var object = try reader.object(key, Row.selection)
            // A write's patches may lack fields of the row.
            if reader.isIncomplete, added.contains(key) { object = nil }
            answer.rows.append((key, object.flatMap { try? Row(ObjectReader($0)) }, reader.dependencies))
        }
        return answer
    }

    /// The rows that have come, moved or gone, and the list's state where it may be another.
    ///
    /// - Returns: nil where the list has to be read whole.
    private func moves(
        _ changed: Set<String>, in database: Database
    ) throws -> (state: ListState?, moves: [(key: String, place: RowPlace?)])? {
        if changed.contains(listKey) { return nil }
        guard changed.contains(rowsKey) else { return (nil, []) }
        let keys = changed.filter { $0.hasPrefix(rowsKey) && $0 != rowsKey }.map { String($0.dropFirst(rowsKey.count)) }
        guard keys.count <= Self.mostMoves, !list.isPatched,
            try ListPatchTable.keys(of: name, in: database).isEmpty,
            let state = try ListTable.state(of: name, in: database)
        else { return nil }
        let moves = try keys.map { (key: $0, place: try ListTable.place(of: $0, in: name, database)) }
        let isKnown = moves.allSatisfy { $0.place?.next.map { known.contains($0) || keys.contains($0) } ?? true }
        return isKnown ? (state, moves) : nil
    }

    /// Beyond this number a list is read whole.
    private static var mostMoves: Int { 32 }

    mutating func take(_ answer: Answer) {
        transaction = answer.transaction
        if let next = answer.writes { writes = next }
        let wereAllShown = shown.ids.count == list.keys.count
        var steps: [RowMove]?
        switch answer.order {
        case .same: steps = []
        case .moved(let state, let moves):
            for (key, place) in moves where place == nil {
                known.remove(key)
                rows[key] = nil
            }
            known.formUnion(moves.compactMap { $0.place == nil ? nil : $0.key })
            let moved = list.move(moves, state)
            if wereAllShown { steps = moved }
        case .whole(let next):
            list = next
            let present = Set(list.keys)
            for gone in known.subtracting(present) { rows[gone] = nil }
            known = present
        }
        for row in answer.rows where known.contains(row.key) {
            // A row that could not be shown before has no place among the shown ones.
            if (rows[row.key] == nil) != (row.value == nil), !answer.order.puts(row.key) { steps = nil }
            rows[row.key] = row.value
            for dependency in row.dependencies {
                dependents[dependency, default: []].insert(row.key)
                dependencies.insert(dependency)
            }
        }
        show(answer.rows.map(\.key), steps)
    }

    /// Brings `shown` up to date.
    ///
    /// - Parameters:
    ///   - changed: the keys of rows with other values.
    ///   - steps: the changes of the order; nil where all rows are put together anew.
    private mutating func show(_ changed: [String], _ steps: [RowMove]?) {
        guard let steps, steps.allSatisfy({ $0.key.map { rows[$0] != nil } ?? true }) else {
            let all = list.keys.compactMap { key in rows[key].map { (key, $0) } }
            shown = (all.map(\.0), all.map(\.1))
            return
        }
        for step in steps {
            switch step {
            case .remove(let index):
                shown.ids.remove(at: index)
                shown.rows.remove(at: index)
            case .insert(let index, let key):
                guard let row = rows[key] else { continue }
                shown.ids.insert(key, at: index)
                shown.rows.insert(row, at: index)
            }
        }
        for key in changed {
            guard let row = rows[key], let index = shown.ids.firstIndex(of: key) else { continue }
            shown.rows[index] = row
        }
    }

    func snapshot(_ phase: LiveRows<Row>.Phase) -> LiveRows<Row> {
        LiveRows(
            rows: shown.rows, ids: shown.ids, phase: phase, hasNextPage: list.state.hasNextPage,
            beyondEnd: list.state.beyondEnd, isStale: list.state.isStale,
            waiting: writes.filter { rows[$0.key] != nil })
    }

    enum Order: Sendable {
        case same
        /// Some rows have come, moved or gone.
        case moved(ListState, [(key: String, place: RowPlace?)])
        case whole(PatchedList)

        /// True where the row gets its place by a move.
        func puts(_ key: String) -> Bool {
            guard case .moved(_, let moves) = self else { return false }
            return moves.contains { $0.key == key && $0.place != nil }
        }
    }

    /// The changes since the last read.
    struct Answer: Sendable {
        /// The number of the last transaction in the snapshot.
        let transaction: Int64
        var order = Order.same
        /// nil where they are the same as before.
        var writes: [String: [String]]?
        var rows: [(key: String, value: Row?, dependencies: Set<String>)] = []

        init(transaction: Int64) { self.transaction = transaction }
    }
}

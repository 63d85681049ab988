import GRDB

/// Writes what the server says of one list into the store. The cursor is stored in the transaction of the rows that it
/// belongs to, so that a process that dies goes on from a cursor that its rows have reached.
struct LiveListWriter<Query: LiveQuery>: Sendable {
    let query: Query
    let store: Store
    /// The list's name in the store: the fields from the root to the connection, with their arguments except those that
    /// choose a page.
    let name: String
    let loads = PageLoads()

    init(_ query: Query, store: Store) {
        self.query = query
        self.store = store
        name = Self.name(query)
    }

    /// The key by which observers are told that any of the list's rows, its order and its state may have changed.
    var listKey: String { ListTable.changeKey(of: name) }
    /// The key by which observers are told that the list's state has changed, or some of its rows.
    private var rowsKey: String { ListTable.changeKey(ofRowsIn: name) }

    static func name(_ query: Query) -> String {
        var set: SelectionSet? = Query.Data.selection
        let variables = query.variables.values
        let keys = Query.connection.compactMap { responseName -> String? in
            var found: SelectedField?
            set?.visit(typeName: nil, variables) { field, _ in
                if field.responseName == responseName { found = field }
            }
            set = found?.selection
            return found?.storageKey(variables, leavingOut: SelectedField.pageArguments)
        }
        return keys.joined(separator: ".")
    }

    func state() async throws -> ListState? {
        try await store.database.read { [name] in try ListTable.state(of: name, in: $0) }
    }

    /// How many rows are loaded.
    func rowCount() async throws -> Int {
        try await store.database.read { [name] in try ListTable.keys(of: name, in: $0).count }
    }

    /// The number of the last transaction so far.
    func lastTransaction() async throws -> Int64 {
        try await store.database.read { try ChangedKeys.number(in: $0) }
    }

    /// Stores pages that follow each other.
    ///
    /// - Parameters:
    ///   - isFirst: whether the pages replace all rows of the list, and the first page's `changeCursor` replaces the
    ///     stored cursor.
    ///   - lastTransaction: the number of the last transaction before the first page was asked for. The pages show the
    ///     results of all writes that were answered up to that transaction.
    func write(pages: [LiveListPage], isFirst: Bool, askedAfter lastTransaction: Int64 = 0) async throws {
        guard let last = pages.last else { return }
        try await store.write { [self] transaction in
            var state = try ListTable.state(of: name, in: transaction.database) ?? ListState()
            if isFirst {
                try ListTable.removeRows(of: name, in: transaction.database)
                try ListPatchTable.forgetAnswered(of: name, upTo: lastTransaction, in: transaction.database)
                state = ListState(changeCursor: pages.first?.changeCursor)
            }
            for edge in pages.flatMap(\.edges) {
                guard let node = edge["node"]?.object, let (key, _) = try merge(node, &transaction) else { continue }
                let position = edge["position"]?.text
                try ListTable.put(key, position: position, into: name, in: transaction.database)
                // In an order by counters, an item's position may be smaller than the preceding item's.
                state.endPosition = position.map { max($0, state.endPosition ?? $0) }
            }
            state.endCursor = last.endCursor ?? state.endCursor
            state.hasNextPage = last.hasNextPage
            for change in loads.changes { try apply(change, isRepeated: true, &state, &transaction) }
            let end = state.hasNextPage ? state.endPosition : nil
            try ListTable.forgetBeyond(upTo: end, of: name, in: transaction.database)
            try ListTable.setState(state, of: name, in: transaction.database)
            try UseTable.touch(name, in: transaction.database)
            transaction.changed.insert(listKey)
        }
    }

    func setPinned(_ isPinned: Bool) async throws {
        try await store.write { [name] in try UseTable.setPinned(isPinned, name, in: $0.database) }
    }

    /// Notes that the list is shown.
    func touch() async throws { try await store.write { [name] in try UseTable.touch(name, in: $0.database) } }

    /// Stores one change.
    func write(change: JSONObject) async throws {
        guard let cursor = change["cursor"]?.text else { return }
        try await store.write { [self] transaction in
            loads.note(change)
            let before = try ListTable.state(of: name, in: transaction.database) ?? ListState()
            var state = before
            try apply(change, &state, &transaction)
            state.changeCursor = cursor
            try ListTable.setState(state, of: name, in: transaction.database)
            let beyondEnd = try ListTable.state(of: name, in: transaction.database)?.beyondEnd
            if state.isStale != before.isStale || beyondEnd != before.beyondEnd {
                transaction.changed.insert(rowsKey)
            }
        }
    }

    /// - Parameter isRepeated: whether the change was applied before. A repeated change ends no patches of writes.
    private func apply(
        _ change: JSONObject, isRepeated: Bool = false, _ state: inout ListState,
        _ transaction: inout StoreTransaction
    ) throws {
        guard let id = change["nodeId"]?.text else { return }
        let database = transaction.database
        if change["kind"]?.text == "REMOVED" {
            let key = try key(ofRemoved: id, in: database)
            if try ListTable.contains(key, in: name, database) { noteRow(key, in: &transaction) }
            try ListTable.remove(key, from: name, in: database)
            if !isRepeated { try endPatches(of: key, isIn: false, &transaction) }
        } else if let node = change["node"]?.object, let (key, record) = try merge(node, &transaction) {
            if !isRepeated { store.meanwhile.note(RecordChange(records: [key: record], isAnswer: false)) }
            if let position = change["position"]?.text {
                let isNew = change["kind"]?.text == "ADDED"
                let wasIn = try ListTable.contains(key, in: name, database)
                try place(key, position, isNew: isNew, state, &transaction)
                if isNew, !wasIn, !isRepeated { try endPatches(of: key, isIn: true, &transaction) }
            } else if try !ListTable.contains(key, in: name, database) {
                // The object's place is not known. If a write's patch shows the object, it stays where the app put it.
                state.isStale = true
            }
        }
    }

    /// - Parameter isIn: whether the object has come into the list, or has left it.
    private func endPatches(of key: String, isIn: Bool, _ transaction: inout StoreTransaction) throws {
        if try ListPatchTable.end(by: isIn, of: key, in: name, transaction.database) {
            transaction.changed.insert(listKey)
        }
    }

    /// Puts a row where it belongs. A row that belongs after the loaded rows is removed from them, and counted if it is
    /// new or was among them.
    private func place(
        _ key: String, _ position: String, isNew: Bool, _ state: ListState, _ transaction: inout StoreTransaction
    ) throws {
        let database = transaction.database
        let isIn = try ListTable.contains(key, in: name, database)
        if state.hasNextPage, state.endPosition.map({ position > $0 }) ?? true {
            if isIn {
                try ListTable.remove(key, from: name, in: database)
                noteRow(key, in: &transaction)
            }
            if isIn || isNew { try ListTable.putBeyond(key, position: position, of: name, in: database) }
            return
        }
        if isIn, try ListTable.position(of: key, in: name, database) == position { return }
        try ListTable.remove(key, from: name, in: database)
        try ListTable.put(key, position: position, into: name, in: database)
        noteRow(key, in: &transaction)
    }

    private func noteRow(_ key: String, in transaction: inout StoreTransaction) {
        transaction.changed.insert(rowsKey)
        transaction.changed.insert(ListTable.changeKey(ofRow: key, in: name))
    }

    /// The key of a record whose type a removal does not tell.
    private func key(ofRemoved id: String, in database: Database) throws -> String {
        guard store.schema.identity == .perType else { return id }
        let keys =
            try ListTable.keys(of: name, in: database) + ListTable.keysBeyond(of: name, in: database)
            + ListPatchTable.keys(of: name, in: database)
        return keys.first { $0.hasSuffix(":" + id) } ?? id
    }

    /// Stores that all changes up to the cursor have come.
    func write(cursor: String) async throws {
        try await store.write { [name] transaction in
            guard var state = try ListTable.state(of: name, in: transaction.database) else { return }
            state.changeCursor = cursor
            try ListTable.setState(state, of: name, in: transaction.database)
        }
    }

    /// Forgets the cursor, and keeps the rows until the server's are there.
    func forgetCursor() async throws {
        try await store.write { [name] transaction in
            guard var state = try ListTable.state(of: name, in: transaction.database) else { return }
            state.changeCursor = nil
            try ListTable.setState(state, of: name, in: transaction.database)
        }
    }

    /// - Returns: the object's record with its key; nil for an object without an id.
    private func merge(
        _ node: JSONObject, _ transaction: inout StoreTransaction
    ) throws -> (key: String, record: JSONObject)? {
        let normaliser = Normaliser(schema: store.schema, variables: JSONObject())
        guard let key = normaliser.key(of: node) else { return nil }
        let records = try transaction.merge(node, Query.Row.selection, key: key, variables: query.variables.values)
        return (key, records[key] ?? JSONObject())
    }
}

import GRDB

/// Writes what the server says of one list into the store. The cursor is stored in the transaction of the rows that it
/// belongs to, so that a process that dies goes on from a cursor that its rows have reached.
struct LiveListWriter<Query: LiveQuery>: Sendable {
    let query: Query
    let store: Store
    /// The list's name in the store: the connection's fields with their arguments, but for those of the page.
    let name: String

    init(_ query: Query, store: Store) {
        self.query = query
        self.store = store
        name = Self.name(query)
    }

    /// The name by which observers are told that the rows of the list are others, or in another order.
    var listKey: String { "list:" + name }

    private static func name(_ query: Query) -> String {
        var set: SelectionSet? = Query.Data.selection
        let variables = query.variables.values
        let keys = Query.connection.compactMap { responseName -> String? in
            var found: SelectedField?
            set?.visit(typeName: nil, variables) { field, _ in
                if field.responseName == responseName { found = field }
            }
            set = found?.selection
            return found?.storageKey(variables, leavingOut: ["first", "after", "last", "before"])
        }
        return keys.joined(separator: ".")
    }

    func state() async throws -> ListState? {
        try await store.database.read { [name] in try ListTable.state(of: name, in: $0) }
    }

    /// Stores a page.
    ///
    /// - Parameter isFirst: whether its rows take the place of all others, and `changeCursor` that of the cursor before.
    /// - Throws: `RequestRefused` where the answer has no list.
    func write(page response: Response, isFirst: Bool) async throws {
        var found = response.data.map(JSONValue.object)
        for name in Query.connection { found = found?.object?[name] }
        guard let connection = found?.object, let edges = connection["edges"]?.list,
            let page = connection["pageInfo"]?.object
        else { throw RequestRefused(response.errors) }
        let cursor = response.data?["changeCursor"]?.text
        try await store.write { [self] transaction in
            var state = try ListTable.state(of: name, in: transaction.database) ?? ListState()
            if isFirst {
                try ListTable.removeRows(of: name, in: transaction.database)
                state = ListState(changeCursor: cursor)
            }
            for edge in edges.compactMap(\.object) {
                guard let node = edge["node"]?.object, let key = try merge(node, &transaction) else { continue }
                try ListTable.append(key, position: edge["position"]?.text, to: name, in: transaction.database)
            }
            state.endCursor = page["endCursor"]?.text ?? state.endCursor
            state.hasNextPage = page["hasNextPage"] == .boolean(true)
            state.beyondEnd = 0
            try ListTable.setState(state, of: name, in: transaction.database)
            transaction.changed.insert(listKey)
        }
    }

    /// Stores one change.
    func write(change: JSONObject) async throws {
        guard let cursor = change["cursor"]?.text, let id = change["nodeId"]?.text else { return }
        try await store.write { [self] transaction in
            let before = try ListTable.state(of: name, in: transaction.database) ?? ListState()
            var state = before
            if change["kind"]?.text == "REMOVED" {
                if try ListTable.contains(id, in: name, transaction.database) {
                    try ListTable.remove(id, from: name, in: transaction.database)
                    transaction.changed.insert(listKey)
                }
            } else if let node = change["node"]?.object, let key = try merge(node, &transaction) {
                try place(key, change, &state, &transaction)
            }
            state.changeCursor = cursor
            if state.isStale != before.isStale || state.beyondEnd != before.beyondEnd {
                transaction.changed.insert(listKey)
            }
            try ListTable.setState(state, of: name, in: transaction.database)
        }
    }

    private func place(
        _ key: String, _ change: JSONObject, _ state: inout ListState, _ transaction: inout StoreTransaction
    ) throws {
        let database = transaction.database
        let isIn = try ListTable.contains(key, in: name, database)
        guard let position = change["position"]?.text else {
            if !isIn { state.isStale = true }
            return
        }
        transaction.changed.insert(listKey)
        if try ListTable.insert(key, position: position, into: name, in: database) { return }
        if isIn { try ListTable.remove(key, from: name, in: database) }
        if state.hasNextPage {
            state.beyondEnd += 1
        } else {
            try ListTable.append(key, position: position, to: name, in: database)
        }
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

    /// - Returns: the key of the record; nil for an object without an id.
    private func merge(_ node: JSONObject, _ transaction: inout StoreTransaction) throws -> String? {
        let normaliser = Normaliser(schema: store.schema, variables: JSONObject())
        guard let key = normaliser.key(of: node) else { return nil }
        try transaction.merge(node, Query.Row.selection, key: key, variables: query.variables.values)
        return key
    }
}

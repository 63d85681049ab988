/// Puts records together to the form of a response.
struct RecordReader {
    /// A record with the patches of writes that wait; nil where there is none.
    private let fetch: (String) throws -> JSONObject?
    private let variables: JSONObject
    /// The records that were looked up, found or not.
    private(set) var dependencies: Set<String> = []
    /// Whether a field was never read from the server.
    private(set) var isIncomplete = false

    init(variables: JSONObject, fetch: @escaping (String) throws -> JSONObject?) {
        self.variables = variables
        self.fetch = fetch
    }

    /// nil where there is no record of the key.
    mutating func object(_ key: String, _ set: SelectionSet) throws -> JSONObject? {
        dependencies.insert(key)
        guard let record = try fetch(key) else {
            isIncomplete = true
            return nil
        }
        return try object(record, set)
    }

    private mutating func object(_ record: JSONObject, _ set: SelectionSet) throws -> JSONObject {
        var fields: [(field: SelectedField, isDeferred: Bool)] = []
        set.visit(typeName: record["__typename"]?.text, variables) { fields.append(($0, $1)) }
        var object = JSONObject()
        for (field, isDeferred) in fields {
            guard let stored = record[field.storageKey(variables)] else {
                if !isDeferred { isIncomplete = true }
                continue
            }
            let value = try field.selection.map { try self.value(stored, $0) } ?? stored
            object.set(field.responseName, object[field.responseName].map { $0.merging(value) } ?? value)
        }
        return object
    }

    private mutating func value(_ stored: JSONValue, _ set: SelectionSet) throws -> JSONValue {
        if let key = stored.referenced { return try object(key, set).map(JSONValue.object) ?? .null }
        switch stored {
        case .list(let items): return .list(try items.map { try value($0, set) })
        case .object(let record): return .object(try object(record, set))
        default: return stored
        }
    }
}

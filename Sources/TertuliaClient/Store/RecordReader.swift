/// Puts records together to the form of a response.
struct RecordReader {
    /// Gives the record of a key, with the patches of the writes that wait; nil where there is no record.
    private let fetch: (String) throws -> JSONObject?
    private let variables: JSONObject
    private let addresses: SignedAddresses
    /// The keys of the records that were looked up, found or not, and of the signed addresses that were read.
    private(set) var dependencies: Set<String> = []
    /// True where the store lacks a selected field that is not under `@defer`, or a record.
    private(set) var isIncomplete = false

    init(variables: JSONObject, addresses: SignedAddresses, fetch: @escaping (String) throws -> JSONObject?) {
        self.variables = variables
        self.addresses = addresses
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
            let leaf = field.isSignedAddress ? whole(stored) : stored
            let value = try field.selection.map { try self.value(stored, $0) } ?? leaf
            object.set(field.responseName, object[field.responseName].map { $0.merging(value) } ?? value)
        }
        return object
    }

    private mutating func whole(_ stored: JSONValue) -> JSONValue {
        switch stored {
        case .string(let bare):
            dependencies.insert(SignedAddresses.changeKey(of: bare))
            return .string(addresses.whole(bare))
        case .list(let items): return .list(items.map { whole($0) })
        default: return stored
        }
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

/// Takes a response apart into records: objects by their ids, which refer to each other by key.
///
/// A field of a record that is missing was never read; null is null. A null that comes from an error is not written, so
/// that the value of before stays.
struct Normaliser {
    /// The record of the root fields of queries.
    static let queryRoot = "query"

    private let schema: SchemaDescription
    private let variables: JSONObject
    private let errorPaths: [[String]]
    /// What is to be merged into the stored records, by key.
    private(set) var records: [String: JSONObject] = [:]
    /// The values of fields with `@signedAddress`. The records have them without their queries.
    private(set) var addresses: [String] = []

    init(schema: SchemaDescription, variables: JSONObject, errors: [ResponseError] = []) {
        self.schema = schema
        self.variables = variables
        errorPaths = errors.map(\.path)
    }

    /// - Parameter path: where the object stands in the response, to which the errors' paths belong.
    mutating func add(_ object: JSONObject, _ selection: SelectionSet, key: String, path: [String] = []) {
        let added = fields(of: object, selection, path: path)
        records[key] = records[key].map { $0.merging(added) } ?? added
    }

    /// The key of the record that an object is; nil for an object without an id, which is stored within its owner.
    func key(of object: JSONObject) -> String? {
        guard let id = object["id"]?.text, let type = object["__typename"]?.text else { return nil }
        return schema.key(type: type, id: id)
    }

    private mutating func fields(of object: JSONObject, _ set: SelectionSet, path: [String]) -> JSONObject {
        var fields = JSONObject()
        set.visit(typeName: object["__typename"]?.text, variables) { field, _ in
            let path = path + [field.responseName]
            guard let value = object[field.responseName], !isFailed(value, path) else { return }
            let leaf = field.isSignedAddress ? bare(value) : value
            let stored = field.selection.map { self.stored(value, $0, path: path) } ?? leaf
            let name = field.storageKey(variables)
            fields.set(name, fields[name].map { $0.merging(stored) } ?? stored)
        }
        return fields
    }

    private mutating func stored(_ value: JSONValue, _ set: SelectionSet, path: [String]) -> JSONValue {
        switch value {
        case .list(let items):
            return .list(items.enumerated().map { stored($0.element, set, path: path + ["\($0.offset)"]) })
        case .object(let object):
            guard let key = key(of: object) else { return .object(fields(of: object, set, path: path)) }
            add(object, set, key: key, path: path)
            return .reference(to: key)
        default:
            return value
        }
    }

    private mutating func bare(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let address):
            addresses.append(address)
            return .string(SignedAddresses.bare(address))
        case .list(let items): return .list(items.map { bare($0) })
        default: return value
        }
    }

    /// Whether an error made the value null, or an item of it.
    private func isFailed(_ value: JSONValue, _ path: [String]) -> Bool {
        guard !errorPaths.isEmpty else { return false }
        switch value {
        case .null: return errorPaths.contains { $0.starts(with: path) }
        case .list(let items):
            return items.enumerated().contains { isFailed($0.element, path + ["\($0.offset)"]) }
        default: return false
        }
    }
}

extension SelectionSet {
    /// Calls `body` for each field that applies to an object, those of fragments included.
    ///
    /// - Parameter body: takes the field, and whether it may come later than the rest.
    func visit(
        typeName: String?, _ variables: JSONObject, isDeferred: Bool = false,
        _ body: (SelectedField, _ isDeferred: Bool) -> Void
    ) {
        for selection in selections { selection.visit(typeName, variables, isDeferred, body) }
    }
}

extension Selection {
    fileprivate func visit(
        _ typeName: String?, _ variables: JSONObject, _ isDeferred: Bool, _ body: (SelectedField, Bool) -> Void
    ) {
        switch self {
        case .field(let field): body(field, isDeferred)
        case .always(let set): set.visit(typeName: typeName, variables, isDeferred: isDeferred, body)
        case .on(let types, let set):
            guard let typeName, types.contains(typeName) else { return }
            set.visit(typeName: typeName, variables, isDeferred: isDeferred, body)
        case .conditional(let alternatives, let selection):
            guard alternatives.contains(where: { $0.allSatisfy { $0.holds(variables) } }) else { return }
            selection.visit(typeName, variables, isDeferred, body)
        case .deferred(let selection): selection.visit(typeName, variables, true, body)
        }
    }
}

extension JSONValue {
    /// A value that stands for another record. No name of GraphQL begins with `$`.
    static func reference(to key: String) -> JSONValue {
        .object(JSONObject([(name: "$ref", value: .string(key))]))
    }

    /// The key of the record that the value stands for; nil for every other value.
    var referenced: String? {
        guard case .object(let object) = self, object.fields.count == 1, object.fields[0].name == "$ref" else {
            return nil
        }
        return object.fields[0].value.text
    }

    /// The newer value, with the members that it lacks where both are objects within one record.
    func merging(_ newer: JSONValue) -> JSONValue {
        guard case .object(let old) = self, case .object(let new) = newer, referenced == nil, newer.referenced == nil
        else {
            return newer
        }
        return .object(old.merging(new))
    }
}

extension JSONObject {
    func merging(_ newer: JSONObject) -> JSONObject {
        var merged = self
        for (name, value) in newer.fields { merged.set(name, merged[name].map { $0.merging(value) } ?? value) }
        return merged
    }
}

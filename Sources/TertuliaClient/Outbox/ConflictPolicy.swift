/// What becomes of a write that waited, where somebody else has changed meanwhile what it changes. A conflict is a field
/// that the write's patches set or refer, and that the server now has otherwise than when the write was queued; numbers
/// that are added to do not conflict.
public enum ConflictPolicy: String, Sendable {
    /// The write is sent: the last writer wins.
    case lastWriter
    /// The write is not sent. It stays in the outbox as overruled, with its input.
    case serverWins
    /// The write waits for the app, which retries or discards it; what it makes of the shown rows stays until then.
    case ask
}

/// The server's values of what a write changes, at the time when it was queued.
struct ConflictBase: Sendable, Equatable {
    /// By the records' keys.
    var records: [String: JSONObject]

    init(records: [String: JSONObject]) { self.records = records }

    /// The fields that the patches set or refer, as far as the store has them.
    init(of patches: [RecordPatch], stored: (String) throws -> JSONObject?) rethrows {
        records = [:]
        for patch in patches {
            guard let record = try stored(patch.key) else { continue }
            var fields = records[patch.key] ?? JSONObject()
            for (name, change) in patch.changes.fields {
                if case .add = change { continue }
                if let value = record[name] { fields.set(name, value) }
            }
            records[patch.key] = fields
        }
    }

    /// Whether a record has other values now.
    func differs(from stored: (String) throws -> JSONObject?) rethrows -> Bool {
        for (key, fields) in records {
            guard let record = try stored(key) else { continue }
            if fields.fields.contains(where: { record[$0.name] != $0.value }) { return true }
        }
        return false
    }

    /// With the present values of some records.
    func updated(for keys: Set<String>, stored: (String) throws -> JSONObject?) rethrows -> ConflictBase {
        var next = self
        for key in keys {
            guard let fields = records[key], let record = try stored(key) else { continue }
            next.records[key] = JSONObject(fields.fields.map { ($0.name, record[$0.name] ?? $0.value) })
        }
        return next
    }

    var json: JSONValue {
        .object(JSONObject(records.sorted { $0.key < $1.key }.map { ($0.key, .object($0.value)) }))
    }

    init(_ json: JSONValue) {
        records = Dictionary(
            (json.object?.fields ?? []).map { ($0.name, $0.value.object ?? JSONObject()) },
            uniquingKeysWith: { first, _ in first })
    }
}

/// The rule for a waiting write when somebody else has changed the same fields.
///
/// A field is in conflict where a patch of the write sets it or makes it refer to another object, and its value is no
/// longer the one that it had when the write was queued. A number that a patch adds to is never in conflict.
public enum ConflictPolicy: String, Sendable {
    /// The write is sent: the last writer wins.
    case lastWriter
    /// The write is not sent. It stays in the outbox as overruled, with its input.
    case serverWins
    /// The write waits until the app retries or discards it. Until then its patches show.
    case ask
}

/// The server's values, as the store had them when a write was queued, of the fields that the write changes.
struct ConflictBase: Sendable, Equatable {
    /// By the records' keys.
    var records: [String: JSONObject]

    init(records: [String: JSONObject]) { self.records = records }

    /// The fields that the patches set or make refer to another object, as far as the store has them.
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

    /// A copy that has the present values of the records with these keys.
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

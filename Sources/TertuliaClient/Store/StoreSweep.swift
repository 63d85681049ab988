import Foundation
import GRDB

/// Makes room in a store. It forgets the lists and root fields whose last use is longest ago, and then the records to
/// which no list, field or other record leads any more.
struct StoreSweep {
    /// How many records the store may have.
    let limit: Int
    /// The names of lists and root fields that are shown.
    let shown: Set<String>
    /// The keys of records that are shown.
    let watched: Set<String>

    /// Does nothing where the store is not full. Otherwise a fifth of the limit is free afterwards, so that the next
    /// sweep is not due at once. Pinned and shown lists and fields stay, however many records they have.
    func run(in database: Database) throws {
        guard try Int.fetchOne(database, sql: "select count(*) from records") ?? 0 > limit else { return }
        // The root record stays: its fields are kept or forgotten one by one.
        var kept: Set<String> = [Normaliser.queryRoot]
        try mark(Array(watched), &kept, in: database)
        try mark(try RecordTable.keysOfPatches(in: database), &kept, in: database)
        try mark(try String.fetchAll(database, sql: "select key from list_patches"), &kept, in: database)
        let names = try UseTable.namesToKeep(in: database)
        var isFull = false
        for (name, _) in names.filter({ shown.contains($0.name) || $0.isPinned }) {
            try mark(try roots(of: name, in: database), &kept, in: database)
        }
        for (name, _) in names.filter({ !shown.contains($0.name) && !$0.isPinned }) {
            var more = kept
            if !isFull { try mark(try roots(of: name, in: database), &more, in: database) }
            isFull = isFull || more.count > limit * 4 / 5
            if isFull { try forget(name, in: database) } else { kept = more }
        }
        for key in try String.fetchAll(database, sql: "select key from records") where !kept.contains(key) {
            try RecordTable.remove(key, in: database)
        }
    }

    /// The keys of the records that are rows of the list, or to which the root field refers.
    private func roots(of name: String, in database: Database) throws -> [String] {
        let field = try RecordTable.record(Normaliser.queryRoot, in: database)?[name]
        return try ListTable.keys(of: name, in: database) + (field.map { $0.references } ?? [])
    }

    private func forget(_ name: String, in database: Database) throws {
        try ListTable.drop(name, in: database)
        try UseTable.remove(name, in: database)
        try RecordTable.removeField(name, of: Normaliser.queryRoot, in: database)
    }

    /// Adds the keys to `kept`, and the keys of all records to which these records lead.
    private func mark(_ keys: [String], _ kept: inout Set<String>, in database: Database) throws {
        var waiting = keys
        while let key = waiting.popLast() {
            // Some observers watch keys that no record has.
            guard !kept.contains(key), let record = try RecordTable.record(key, in: database) else { continue }
            kept.insert(key)
            waiting += JSONValue.object(record).references.filter { !kept.contains($0) }
        }
    }
}

extension JSONValue {
    /// The keys of the records to which the value refers.
    var references: [String] {
        if let referenced { return [referenced] }
        switch self {
        case .object(let object): return object.fields.flatMap { $0.value.references }
        case .list(let items): return items.flatMap(\.references)
        default: return []
        }
    }
}

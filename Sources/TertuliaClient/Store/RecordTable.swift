import Foundation
import GRDB

/// The tables of records, and of the patches that writes lay over them until their answers are stored.
enum RecordTable {
    static func create(in database: Database) throws {
        try database.execute(
            sql: """
                create table records (key text primary key, fields blob not null) without rowid;
                create table patches (entry text not null, number integer not null, key text not null,
                    changes blob not null, primary key (entry, number)) without rowid;
                create index patches_of_records on patches (key);
                create table facts (name text primary key, value text not null) without rowid;
                """)
    }

    /// The record as the server gave it.
    static func record(_ key: String, in database: Database) throws -> JSONObject? {
        let statement = try database.cachedStatement(sql: "select fields from records where key = ?")
        guard let blob = try Data.fetchOne(statement, arguments: [key]) else { return nil }
        return try JSONValue(json: blob).object
    }

    /// The record with the patches of the writes that wait, the oldest first. A refused or overruled write keeps its
    /// patches, which do not show until it is tried again.
    static func patched(_ key: String, in database: Database) throws -> JSONObject? {
        let stored = try record(key, in: database)
        let statement = try database.cachedStatement(
            sql: """
                select changes from patches join outbox on outbox.id = patches.entry
                where key = ? and outbox.state not in ('refused', 'overruled')
                order by outbox.number, patches.number
                """)
        let blobs = try Data.fetchAll(statement, arguments: [key])
        if blobs.isEmpty { return stored }
        return try blobs.reduce(stored ?? JSONObject()) { try RecordPatch.Changes(JSONValue(json: $1)).applied(to: $0) }
    }

    /// Merges records into the stored ones.
    /// - Returns: the keys of those that are different now.
    static func merge(_ records: [String: JSONObject], in database: Database) throws -> Set<String> {
        var changed: Set<String> = []
        let upsert = try database.cachedStatement(
            sql: """
                insert into records (key, fields) values (?, ?)
                on conflict (key) do update set fields = excluded.fields
                """)
        for (key, fields) in records {
            let stored = try record(key, in: database)
            let merged = stored.map { $0.merging(fields) } ?? fields
            guard merged != stored else { continue }
            try upsert.execute(arguments: [key, Data(JSONValue.object(merged).json)])
            changed.insert(key)
        }
        return changed
    }

    static func remove(_ key: String, in database: Database) throws {
        try database.cachedStatement(sql: "delete from records where key = ?").execute(arguments: [key])
    }

    static func removeField(_ name: String, of key: String, in database: Database) throws {
        guard var fields = try record(key, in: database), fields[name] != nil else { return }
        fields.fields.removeAll { $0.name == name }
        try database.cachedStatement(sql: "update records set fields = ? where key = ?")
            .execute(arguments: [Data(JSONValue.object(fields).json), key])
    }

    static func add(_ patch: RecordPatch, number: Int, entry: String, in database: Database) throws {
        try database.cachedStatement(sql: "insert into patches (entry, number, key, changes) values (?, ?, ?, ?)")
            .execute(arguments: [entry, number, patch.key, Data(patch.changes.json.json)])
    }

    /// The given record with the patches of one entry, and without those of other entries.
    static func patched(
        _ record: JSONObject, _ key: String, entry: String, in database: Database
    ) throws -> JSONObject {
        let statement = try database.cachedStatement(
            sql: "select changes from patches where entry = ? and key = ? order by number")
        return try Data.fetchAll(statement, arguments: [entry, key])
            .reduce(record) { try RecordPatch.Changes(JSONValue(json: $1)).applied(to: $0) }
    }

    /// The patches of an entry, by the keys of their records.
    static func patches(of entry: String, in database: Database) throws -> [String: [RecordPatch.Changes]] {
        let statement = try database.cachedStatement(sql: "select key, changes from patches where entry = ?")
        var patches: [String: [RecordPatch.Changes]] = [:]
        for row in try Row.fetchAll(statement, arguments: [entry]) {
            let (key, changes): (String, Data) = (row["key"], row["changes"])
            patches[key, default: []].append(try RecordPatch.Changes(JSONValue(json: changes)))
        }
        return patches
    }

    /// The keys of the records that patches change, and of those to which patches make them refer.
    static func keysOfPatches(in database: Database) throws -> [String] {
        try Row.fetchAll(database.cachedStatement(sql: "select key, changes from patches")).flatMap { row in
            let (key, changes): (String, Data) = (row["key"], row["changes"])
            return [key] + (try RecordPatch.Changes(JSONValue(json: changes)).references)
        }
    }

    /// The keys of the records and lists that an entry's patches change.
    static func patchedKeys(of entry: String, in database: Database) throws -> Set<String> {
        try String.fetchSet(
            database.cachedStatement(sql: "select key from patches where entry = ?"), arguments: [entry]
        ).union(ListPatchTable.changeKeys(of: entry, in: database))
    }

    /// - Returns: the keys of the records and lists that the patches changed.
    static func dropPatches(of entry: String, in database: Database) throws -> Set<String> {
        let keys = try patchedKeys(of: entry, in: database)
        try database.cachedStatement(sql: "delete from patches where entry = ?").execute(arguments: [entry])
        try ListPatchTable.drop(of: entry, in: database)
        return keys
    }

    // MARK: - Facts

    static func fact(_ name: String, in database: Database) throws -> String? {
        try String.fetchOne(database.cachedStatement(sql: "select value from facts where name = ?"), arguments: [name])
    }

    static func setFact(_ name: String, _ value: String, in database: Database) throws {
        try database.cachedStatement(
            sql: "insert into facts values (?, ?) on conflict (name) do update set value = excluded.value"
        ).execute(arguments: [name, value])
    }

    static func removeFact(_ name: String, in database: Database) throws {
        try database.cachedStatement(sql: "delete from facts where name = ?").execute(arguments: [name])
    }

    /// Removes all that the server can give again.
    static func empty(in database: Database) throws {
        try database.execute(sql: "delete from records; delete from facts;")
    }
}

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

    /// The record with the patches of the writes that wait, the oldest first.
    static func patched(_ key: String, in database: Database) throws -> JSONObject? {
        let stored = try record(key, in: database)
        let statement = try database.cachedStatement(
            sql: """
                select changes from patches join outbox on outbox.id = patches.entry
                where key = ? order by outbox.number, patches.number
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

    /// - Returns: the keys of the records that the patches lay over.
    static func dropPatches(of entry: String, in database: Database) throws -> Set<String> {
        let keys = try String.fetchSet(
            database.cachedStatement(sql: "select key from patches where entry = ?"), arguments: [entry])
        try database.cachedStatement(sql: "delete from patches where entry = ?").execute(arguments: [entry])
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

    /// Removes all that the server can give again.
    static func empty(in database: Database) throws {
        try database.execute(sql: "delete from records; delete from facts;")
    }
}

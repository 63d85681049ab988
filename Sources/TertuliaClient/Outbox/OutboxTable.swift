import Foundation
import GRDB

/// The two tables of the client's outbox: the queued writes, and the files that they upload. A refused or overruled
/// write stays in them until the app has dealt with it. The server's table `outbox` is another thing.
enum OutboxTable {
    static func create(in database: Database) throws {
        try database.execute(
            sql: """
                create table outbox (number integer primary key autoincrement, id text not null unique,
                    operation text not null, document_id text not null, document text not null, variables blob not null,
                    objects blob not null, state text not null, failure blob, faults integer not null default 0,
                    queued_at real not null, sent_at real, conflicts text not null, base blob, reading blob);
                create table outbox_files (entry text not null, path text not null, name text not null,
                    content_type text not null, bytes blob not null, primary key (entry, path)) without rowid;
                """)
    }

    static func add(_ entry: OutboxEntry, uploads: [UploadPart], in database: Database) throws {
        try database.cachedStatement(
            sql: """
                insert into outbox (id, operation, document_id, document, variables, objects, state, queued_at,
                    conflicts, base, reading)
                values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            entry.id, entry.operation, entry.documentID, entry.document, Data(JSONValue.object(entry.variables).json),
            Data(JSONValue.list(entry.objects.map(JSONValue.string)).json), entry.state.name,
            entry.queuedAt.timeIntervalSince1970, entry.conflicts.rawValue, entry.base.map { Data($0.json.json) },
            entry.reading.map { Data($0.json.json) },
        ])
        for upload in uploads {
            try database.cachedStatement(sql: "insert into outbox_files values (?, ?, ?, ?, ?)").execute(arguments: [
                entry.id, upload.path, upload.file.name, upload.file.contentType, Data(upload.file.bytes),
            ])
        }
    }

    /// All entries, the oldest first.
    static func entries(in database: Database) throws -> [OutboxEntry] {
        try Row.fetchAll(database.cachedStatement(sql: "select * from outbox order by number")).map(OutboxEntry.init)
    }

    static func entry(_ id: String, in database: Database) throws -> OutboxEntry? {
        try Row.fetchOne(database.cachedStatement(sql: "select * from outbox where id = ?"), arguments: [id])
            .map(OutboxEntry.init)
    }

    /// By the key of each object, the ids of the entries that patch the object itself or its place in this list, the
    /// oldest first. Refused and overruled entries are left out. Some of the objects may not be in the list.
    static func writes(of list: String, in database: Database) throws -> [String: [String]] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    select key, id from outbox join (
                        select entry, key from patches
                        union select entry, key from list_patches where list = ?) on entry = id
                    where state not in ('refused', 'overruled') order by number
                    """), arguments: [list])
        return rows.reduce(into: [:]) { $0[$1["key"], default: []].append($1["id"]) }
    }

    static func uploads(of id: String, in database: Database) throws -> [UploadPart] {
        try Row.fetchAll(
            database.cachedStatement(sql: "select * from outbox_files where entry = ? order by path"), arguments: [id]
        ).map { row in
            let bytes: Data = row["bytes"]
            return UploadPart(
                path: row["path"],
                file: UploadFile(name: row["name"], contentType: row["content_type"], bytes: Array(bytes)))
        }
    }

    static func setState(_ state: OutboxEntry.State, of id: String, in database: Database) throws {
        try database.cachedStatement(sql: "update outbox set state = ?, failure = ? where id = ?")
            .execute(arguments: [state.name, state.failureJSON.map { Data($0.json) }, id])
    }

    /// Stores the time of an entry's first attempt, before the entry is sent: from then on the server may have done the
    /// write. A later attempt keeps the time.
    static func setSent(_ id: String, at date: Date, in database: Database) throws {
        try database.cachedStatement(
            sql: "update outbox set sent_at = coalesce(sent_at, ?) where id = ?"
        ).execute(arguments: [date.timeIntervalSince1970, id])
    }

    /// Counts an attempt at which the server itself failed.
    static func addFault(to id: String, in database: Database) throws {
        try database.cachedStatement(sql: "update outbox set faults = faults + 1 where id = ?").execute(arguments: [id])
    }

    /// Sets an entry's faults to 0, so that it is tried as often as a new one.
    ///
    /// - Parameter sentAt: the time of the first attempt; nil where the next attempt counts as the first.
    static func beginAnew(_ id: String, sentAt: Date?, in database: Database) throws {
        try database.cachedStatement(sql: "update outbox set faults = 0, sent_at = ? where id = ?")
            .execute(arguments: [sentAt?.timeIntervalSince1970, id])
    }

    /// - Parameter base: nil where no conflict is to be looked for any more.
    static func setBase(_ base: ConflictBase?, of id: String, in database: Database) throws {
        try database.cachedStatement(sql: "update outbox set base = ? where id = ?")
            .execute(arguments: [base.map { Data($0.json.json) }, id])
    }

    static func remove(_ id: String, in database: Database) throws {
        try database.cachedStatement(sql: "delete from outbox where id = ?").execute(arguments: [id])
        try database.cachedStatement(sql: "delete from outbox_files where entry = ?").execute(arguments: [id])
    }
}

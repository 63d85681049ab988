import Foundation
import GRDB

/// The table of writes that wait.
enum OutboxTable {
    static func create(in database: Database) throws {
        try database.execute(
            sql: """
                create table outbox (number integer primary key autoincrement, id text not null unique,
                    operation text not null, document_id text not null, document text not null, variables blob not null,
                    objects blob not null, state text not null, failure blob, attempts integer not null default 0,
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

    /// Notes before it is sent that the server may have the entry from now on.
    static func setSent(_ id: String, at date: Date, in database: Database) throws {
        try database.cachedStatement(
            sql: "update outbox set attempts = attempts + 1, sent_at = coalesce(sent_at, ?) where id = ?"
        ).execute(arguments: [date.timeIntervalSince1970, id])
    }

    /// Lets an entry be sent as if it never had been.
    static func forgetSent(_ id: String, in database: Database) throws {
        try database.cachedStatement(sql: "update outbox set attempts = 0, sent_at = null where id = ?")
            .execute(arguments: [id])
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

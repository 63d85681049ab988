import GRDB

/// The table of what was asked for, in the order of the last use: live lists by name, and root fields with their
/// arguments. `used` is a running number, not a time. What was not used for longest goes first when the store is full.
enum UseTable {
    static func create(in database: Database) throws {
        try database.execute(
            sql: """
                create table uses (name text primary key, used integer not null, is_pinned integer not null default 0)
                    without rowid;
                create index uses_by_age on uses (used);
                """)
    }

    /// Notes that something is used now.
    static func touch(_ name: String, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                insert into uses (name, used) values (?1, (select coalesce(max(used), 0) + 1 from uses))
                on conflict (name) do update set used = excluded.used
                """
        ).execute(arguments: [name])
    }

    static func setPinned(_ isPinned: Bool, _ name: String, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                insert into uses (name, used, is_pinned)
                values (?1, (select coalesce(max(used), 0) + 1 from uses), ?2)
                on conflict (name) do update set is_pinned = excluded.is_pinned
                """
        ).execute(arguments: [name, isPinned])
    }

    /// The names in the order in which they are kept: the pinned ones, then those that were used last.
    static func namesToKeep(in database: Database) throws -> [(name: String, isPinned: Bool)] {
        try Row.fetchAll(database, sql: "select name, is_pinned from uses order by is_pinned desc, used desc")
            .map { ($0["name"], $0["is_pinned"]) }
    }

    static func remove(_ name: String, in database: Database) throws {
        try database.cachedStatement(sql: "delete from uses where name = ?").execute(arguments: [name])
    }

    static func empty(in database: Database) throws {
        // The store is emptied when the schema has changed. The app's pins stay.
        try database.execute(sql: "delete from uses where not is_pinned")
    }
}

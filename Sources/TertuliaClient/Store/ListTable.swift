import GRDB

/// The tables of live lists: which records are in them, in which order, and from which cursor their changes follow.
enum ListTable {
    static func create(in database: Database) throws {
        try database.execute(
            sql: """
                create table lists (name text primary key, end_cursor text, has_next integer not null,
                    change_cursor text, is_stale integer not null, beyond integer not null) without rowid;
                create table rows (list text not null, key text not null, place integer not null, position text,
                    primary key (list, key)) without rowid;
                create index rows_in_order on rows (list, place);
                """)
    }

    static func empty(in database: Database) throws {
        try database.execute(sql: "delete from lists; delete from rows;")
    }

    static func state(of list: String, in database: Database) throws -> ListState? {
        let statement = try database.cachedStatement(
            sql: "select end_cursor, has_next, change_cursor, is_stale, beyond from lists where name = ?")
        return try Row.fetchOne(statement, arguments: [list]).map {
            ListState(
                endCursor: $0["end_cursor"], hasNextPage: $0["has_next"], changeCursor: $0["change_cursor"],
                isStale: $0["is_stale"], beyondEnd: $0["beyond"])
        }
    }

    static func setState(_ state: ListState, of list: String, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                insert into lists (name, end_cursor, has_next, change_cursor, is_stale, beyond) values (?, ?, ?, ?, ?, ?)
                on conflict (name) do update set end_cursor = excluded.end_cursor, has_next = excluded.has_next,
                    change_cursor = excluded.change_cursor, is_stale = excluded.is_stale, beyond = excluded.beyond
                """
        ).execute(arguments: [
            list, state.endCursor, state.hasNextPage, state.changeCursor, state.isStale, state.beyondEnd,
        ])
    }

    /// The keys of a list's records, in order.
    static func keys(of list: String, in database: Database) throws -> [String] {
        try String.fetchAll(
            database.cachedStatement(sql: "select key from rows where list = ? order by place"), arguments: [list])
    }

    static func removeRows(of list: String, in database: Database) throws {
        try database.cachedStatement(sql: "delete from rows where list = ?").execute(arguments: [list])
    }

    static func remove(_ key: String, from list: String, in database: Database) throws {
        try database.cachedStatement(sql: "delete from rows where list = ? and key = ?").execute(arguments: [list, key])
    }

    static func contains(_ key: String, in list: String, _ database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "select exists (select 1 from rows where list = ? and key = ?)"),
            arguments: [list, key]) ?? false
    }

    /// Puts a record at the end, or leaves it where it is.
    static func append(_ key: String, position: String?, to list: String, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                insert into rows (list, key, place, position)
                values (?1, ?2, (select coalesce(max(place), 0) + \(gap) from rows where list = ?1), ?3)
                on conflict (list, key) do update set position = excluded.position
                """
        ).execute(arguments: [list, key, position])
    }

    /// Puts a record where its position belongs.
    /// - Returns: whether it stands among the rows; false where it belongs after the last one.
    static func insert(_ key: String, position: String, into list: String, in database: Database) throws -> Bool {
        let next = try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    select place from rows where list = ? and position > ? and key <> ? order by position limit 1
                    """), arguments: [list, position, key])
        guard let next else { return false }
        let before =
            try Int.fetchOne(
                database.cachedStatement(
                    sql: "select max(place) from rows where list = ? and place < ? and key <> ?"),
                arguments: [list, next, key]) ?? next - 2 * gap
        guard next - before > 1 else {
            try spread(list, in: database)
            return try insert(key, position: position, into: list, in: database)
        }
        try database.cachedStatement(
            sql: """
                insert into rows (list, key, place, position) values (?, ?, ?, ?)
                on conflict (list, key) do update set place = excluded.place, position = excluded.position
                """
        ).execute(arguments: [list, key, before + (next - before) / 2, position])
        return true
    }

    /// The distance between two rows, so that others fit in between.
    private static let gap = 1 << 20

    private static func spread(_ list: String, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                update rows set place = ordered.number * \(gap)
                from (select key, row_number() over (order by place) as number from rows where list = ?1) as ordered
                where list = ?1 and rows.key = ordered.key
                """
        ).execute(arguments: [list])
    }
}

/// What the store knows of a list besides its rows.
struct ListState: Equatable, Sendable {
    /// The cursor of the last row, for the next page.
    var endCursor: String?
    var hasNextPage = true
    /// The newest cursor of the log that the rows have reached.
    var changeCursor: String?
    /// Whether an item has come whose place is not known.
    var isStale = false
    /// How many items have come that belong after the loaded rows.
    var beyondEnd = 0
}

import GRDB

/// The tables of live lists: which records are in them, in which order, and from which cursor their changes follow.
///
/// Rows are in the order of the positions that the server gives. Without positions they stay in the order of the pages.
enum ListTable {
    static func create(in database: Database) throws {
        try database.execute(
            sql: """
                create table lists (name text primary key, end_cursor text, end_position text, has_next integer not null,
                    change_cursor text, is_stale integer not null) without rowid;
                create table rows (list text not null, key text not null, place integer not null, position text,
                    primary key (list, key)) without rowid;
                create index rows_in_order on rows (list, position, place);
                create table rows_beyond (list text not null, key text not null, position text not null,
                    primary key (list, key)) without rowid;
                """)
    }

    static func empty(in database: Database) throws {
        try database.execute(sql: "delete from lists; delete from rows; delete from rows_beyond;")
        try ListPatchTable.forgetAnswered(in: database)
    }

    /// The key by which observers are told that a list may have changed as a whole: its rows, order and state.
    static func changeKey(of list: String) -> String { "list:" + list }

    /// The key by which observers are told that a list's state or some of its rows have changed. The keys of
    /// ``changeKey(ofRow:in:)`` come with it, and tell which rows.
    static func changeKey(ofRowsIn list: String) -> String { changeKey(of: list) + "\u{0}" }

    /// The key that names a row which has come, moved or gone.
    static func changeKey(ofRow key: String, in list: String) -> String { changeKey(ofRowsIn: list) + key }

    // MARK: - The list

    static func state(of list: String, in database: Database) throws -> ListState? {
        let statement = try database.cachedStatement(
            sql: """
                select end_cursor, end_position, has_next, change_cursor, is_stale,
                    (select count(*) from rows_beyond where list = lists.name) as beyond
                from lists where name = ?
                """)
        return try Row.fetchOne(statement, arguments: [list]).map {
            ListState(
                endCursor: $0["end_cursor"], endPosition: $0["end_position"], hasNextPage: $0["has_next"],
                changeCursor: $0["change_cursor"], isStale: $0["is_stale"], beyondEnd: $0["beyond"])
        }
    }

    static func setState(_ state: ListState, of list: String, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                insert into lists (name, end_cursor, end_position, has_next, change_cursor, is_stale)
                values (?, ?, ?, ?, ?, ?)
                on conflict (name) do update set end_cursor = excluded.end_cursor,
                    end_position = excluded.end_position, has_next = excluded.has_next,
                    change_cursor = excluded.change_cursor, is_stale = excluded.is_stale
                """
        ).execute(arguments: [
            list, state.endCursor, state.endPosition, state.hasNextPage, state.changeCursor, state.isStale,
        ])
    }

    /// Forgets a list with its rows and its cursor.
    static func drop(_ list: String, in database: Database) throws {
        try removeRows(of: list, in: database)
        try ListPatchTable.forgetAnswered(of: list, in: database)
        try database.cachedStatement(sql: "delete from lists where name = ?").execute(arguments: [list])
    }

    // MARK: - Its rows

    /// The keys of a list's records, in order.
    static func keys(of list: String, in database: Database) throws -> [String] {
        try String.fetchAll(
            database.cachedStatement(sql: "select key from rows where list = ? order by position, place"),
            arguments: [list])
    }

    static func removeRows(of list: String, in database: Database) throws {
        try database.cachedStatement(sql: "delete from rows where list = ?").execute(arguments: [list])
        try database.cachedStatement(sql: "delete from rows_beyond where list = ?").execute(arguments: [list])
    }

    static func remove(_ key: String, from list: String, in database: Database) throws {
        try database.cachedStatement(sql: "delete from rows where list = ? and key = ?").execute(arguments: [list, key])
        try database.cachedStatement(sql: "delete from rows_beyond where list = ? and key = ?")
            .execute(arguments: [list, key])
    }

    static func contains(_ key: String, in list: String, _ database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "select exists (select 1 from rows where list = ? and key = ?)"),
            arguments: [list, key]) ?? false
    }

    /// The place of a row; nil where the list has no such row, or the row has no position.
    static func place(of key: String, in list: String, _ database: Database) throws -> RowPlace? {
        let statement = try database.cachedStatement(
            sql: """
                select position, (select key from rows
                    where list = ?1 and (position, place) > (this.position, this.place) order by position, place limit 1
                    ) as next from rows this where list = ?1 and key = ?2 and position is not null
                """)
        return try Row.fetchOne(statement, arguments: [list, key]).map {
            RowPlace(position: $0["position"], next: $0["next"])
        }
    }

    static func position(of key: String, in list: String, _ database: Database) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(sql: "select position from rows where list = ? and key = ?"),
            arguments: [list, key])
    }

    /// Puts a record at its position. A record without a position comes to the end, or stays where it was.
    static func put(_ key: String, position: String?, into list: String, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                insert into rows (list, key, place, position)
                values (?1, ?2, case when ?3 is null
                    then (select coalesce(max(place), 0) + 1 from rows where list = ?1 and position is null) else 0 end, ?3)
                on conflict (list, key) do update set position = excluded.position
                """
        ).execute(arguments: [list, key, position])
    }

    // MARK: - Beyond the loaded rows

    static func keysBeyond(of list: String, in database: Database) throws -> Set<String> {
        try String.fetchSet(
            database.cachedStatement(sql: "select key from rows_beyond where list = ?"), arguments: [list])
    }

    /// Counts a record that stands after the loaded rows.
    static func putBeyond(_ key: String, position: String, of list: String, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                insert into rows_beyond values (?, ?, ?)
                on conflict (list, key) do update set position = excluded.position
                """
        ).execute(arguments: [list, key, position])
    }

    /// Forgets the records beyond the end that the loaded rows have reached by now.
    ///
    /// - Parameter end: the position of the last row; nil where all rows are loaded.
    static func forgetBeyond(upTo end: String?, of list: String, in database: Database) throws {
        try database.cachedStatement(
            sql: "delete from rows_beyond where list = ?1 and (?2 is null or position <= ?2)"
        ).execute(arguments: [list, end])
    }
}

/// The place of a row in its list.
struct RowPlace: Equatable, Sendable {
    let position: String
    /// The key of the row after it; nil for the last row.
    let next: String?
}

/// What the store knows of a list besides its rows.
struct ListState: Equatable, Sendable {
    /// The cursor of the last row, for the next page.
    var endCursor: String?
    /// The greatest position of the rows that were loaded; nil where the list has no positions.
    var endPosition: String?
    var hasNextPage = true
    /// The newest cursor of the log that the rows have reached.
    var changeCursor: String?
    /// Whether an item has come whose place is not known.
    var isStale = false
    /// How many items have come that belong after the loaded rows.
    var beyondEnd = 0
}

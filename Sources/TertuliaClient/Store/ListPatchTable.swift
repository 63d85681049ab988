import GRDB

/// The table of patches that writes lay over lists. A patch stays after the answer of its write, because the change of
/// the list may come later: without the patch, the row would go and come back.
enum ListPatchTable {
    static func create(in database: Database) throws {
        try database.execute(
            sql: """
                create table list_patches (number integer primary key autoincrement, entry text not null,
                    list text not null, key text not null, change text not null, answered integer);
                create index list_patches_of_lists on list_patches (list, key);
                create index list_patches_of_entries on list_patches (entry);
                """)
    }

    static func add(_ patch: ListPatch, entry: String, in database: Database) throws {
        try database.cachedStatement(sql: "insert into list_patches (entry, list, key, change) values (?, ?, ?, ?)")
            .execute(arguments: [entry, patch.list, patch.key, patch.change.rawValue])
    }

    /// The patches of a list, the oldest first. Those of refused and overruled writes are left out.
    static func patches(of list: String, in database: Database) throws -> [ListPatch] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    select key, change from list_patches where list = ? and (answered is not null or exists
                        (select 1 from outbox where id = entry and state not in ('refused', 'overruled')))
                    order by number
                    """), arguments: [list]
        ).compactMap { row in
            ListPatch.Change(rawValue: row["change"]).map { ListPatch(list: list, key: row["key"], change: $0) }
        }
    }

    static func keys(of list: String, in database: Database) throws -> [String] {
        try String.fetchAll(
            database.cachedStatement(sql: "select key from list_patches where list = ?"), arguments: [list])
    }

    // MARK: - The ends of patches

    /// The keys by which observers are told of the lists that an entry's patches change.
    static func changeKeys(of entry: String, in database: Database) throws -> [String] {
        try String.fetchAll(
            database.cachedStatement(sql: "select distinct list from list_patches where entry = ?"), arguments: [entry]
        ).map { ListTable.changeKey(of: $0) }
    }

    /// Drops the patches of an entry that `keepAnswered` has not kept: all of them where the entry was not answered.
    static func drop(of entry: String, in database: Database) throws {
        try database.cachedStatement(sql: "delete from list_patches where entry = ? and answered is null")
            .execute(arguments: [entry])
    }

    /// Keeps the patches of an entry beyond the answer, until a change or a new read of the list ends them. To be
    /// called before the entry's other patches are dropped: for each object that a kept patch adds, the patched fields
    /// that the stored object does not have are stored, because the answer may lack them.
    ///
    /// Patches of lists that were never opened, or are forgotten, are not kept. Such a list has no rows among which
    /// they would stand. It is read from the server when it is opened, after the answer.
    static func keepAnswered(_ entry: String, in transaction: inout StoreTransaction) throws {
        let database = transaction.database
        let added = try String.fetchSet(
            database.cachedStatement(
                sql: """
                    select key from list_patches where entry = ? and change <> 'removed'
                        and list in (select name from uses)
                    """),
            arguments: [entry])
        for key in added {
            let stored = try RecordTable.record(key, in: database) ?? JSONObject()
            let patched = try RecordTable.patched(stored, key, entry: entry, in: database)
            let missing = JSONObject(patched.fields.filter { stored[$0.name] == nil })
            if !missing.fields.isEmpty { try transaction.merge([key: missing], addresses: []) }
        }
        // The transaction that is under way gets the next number.
        try database.cachedStatement(
            sql: "update list_patches set answered = ? where entry = ? and list in (select name from uses)"
        ).execute(arguments: [try ChangedKeys.number(in: database) + 1, entry])
    }

    /// Ends patches when the server tells that an object has come into a list or has left it.
    ///
    /// The oldest patch that says the same as the change ends, with all patches before it; later ones stay. If no patch
    /// says the same, the patches of writes that were sent end, because the server's list is newer. A write that was
    /// never sent is newer than the change.
    ///
    /// - Returns: whether a patch has ended.
    static func end(by isIn: Bool, of key: String, in list: String, _ database: Database) throws -> Bool {
        let says = isIn ? "change <> 'removed'" : "change = 'removed'"
        let same = try Int64.fetchOne(
            database.cachedStatement(
                sql: "select min(number) from list_patches where list = ? and key = ? and \(says)"),
            arguments: [list, key])
        if let same {
            try database.cachedStatement(sql: "delete from list_patches where list = ? and key = ? and number <= ?")
                .execute(arguments: [list, key, same])
        } else {
            try database.cachedStatement(
                sql: """
                    delete from list_patches where list = ? and key = ? and (answered is not null
                        or exists (select 1 from outbox where id = entry and sent_at is not null))
                    """
            ).execute(arguments: [list, key])
        }
        return database.changesCount > 0
    }

    /// Forgets the patches of writes that were answered up to a transaction, since a later read of the list has shown
    /// what became of them.
    static func forgetAnswered(of list: String, upTo transaction: Int64 = .max, in database: Database) throws {
        try database.cachedStatement(sql: "delete from list_patches where list = ? and answered <= ?")
            .execute(arguments: [list, transaction])
    }

    static func forgetAnswered(in database: Database) throws {
        try database.execute(sql: "delete from list_patches where answered is not null")
    }
}

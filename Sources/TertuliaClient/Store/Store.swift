import Foundation
import GRDB

/// A SQLite file with all that one account has read from one server, and with the account's waiting writes.
public final class Store: Sendable {
    let database: DatabasePool
    let schema: SchemaDescription
    let observers = StoreObservers()
    let changedKeys: ChangedKeys
    let addresses = SignedAddresses()
    let meanwhile = RecordChanges()
    /// Where a damaged file was put before this one was begun; nil where the file was sound.
    public let setAside: URL?
    private let file: URL
    private let maximumRecords: Int
    private let writes = WriteCounter()

    /// Opens the file of an account, or makes it.
    ///
    /// - Parameters:
    ///   - folder: the folder of the file. It is made if it is missing.
    ///   - server: the server's address.
    ///   - account: the account's id.
    ///   - schema: `SchemaDescription.generated`. A file that was written for another schema forgets what was read;
    ///     writes that wait, and pins, stay.
    ///   - maximumRecords: how many objects the file may have. If it has more, the lists and root fields whose last use
    ///     is longest ago are forgotten, unless they are pinned or shown.
    /// - Throws: `DatabaseError` where the file can be neither read nor replaced.
    public convenience init(
        folder: URL, server: URL, account: String, schema: SchemaDescription, maximumRecords: Int = 50_000
    ) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try self.init(
            file: folder.appendingPathComponent(Self.fileName(server, account)), schema: schema,
            maximumRecords: maximumRecords)
    }

    /// - Parameter vacuum: clears the file's free pages.
    init(
        file: URL, schema: SchemaDescription, maximumRecords: Int = 50_000,
        vacuum: (DatabasePool) throws -> Void = { try $0.vacuum() }
    ) throws {
        var setAside: URL?
        do { database = try Self.open(file, schema, vacuum) } catch let error as DatabaseError where error.isDamage {
            setAside = try Self.setAside(file)
            database = try Self.open(file, schema, vacuum)
        }
        changedKeys = ChangedKeys(last: try database.read { try ChangedKeys.number(in: $0) })
        self.setAside = setAside
        self.maximumRecords = maximumRecords
        self.schema = schema
        self.file = file
    }

    /// Letters and digits stay, a space becomes a hyphen, and every other byte its number, so that two accounts never
    /// share a file.
    private static func fileName(_ server: URL, _ account: String) -> String {
        let name = "\(server.absoluteString) \(account)".utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: String(UnicodeScalar(byte))
            case 0x20: "-"
            default: "_\(byte)_"
            }
        }
        return name.joined() + ".sqlite"
    }

    private static func open(
        _ file: URL, _ schema: SchemaDescription, _ vacuum: (DatabasePool) throws -> Void
    ) throws -> DatabasePool {
        var configuration = Configuration()
        // An extension of the app may write to the file, too.
        configuration.busyMode = .timeout(5)
        let pool = try DatabasePool(path: file.path, configuration: configuration)
        var migrator = DatabaseMigrator()
        migrator.registerMigration("tables") { database in
            try RecordTable.create(in: database)
            try ListTable.create(in: database)
            try OutboxTable.create(in: database)
            try UseTable.create(in: database)
        }
        migrator.registerMigration("patches of lists") { try ListPatchTable.create(in: $0) }
        try migrator.migrate(pool)
        try pool.write { database in
            let before = try RecordTable.fact("schema", in: database)
            guard before != schema.version else { return }
            try RecordTable.empty(in: database)
            try ListTable.empty(in: database)
            try UseTable.empty(in: database)
            try RecordTable.setFact("schema", schema.version, in: database)
            if before != nil { try RecordTable.setFact(unclearedFact, schema.version, in: database) }
        }
        try clear(pool, vacuum)
        return pool
    }

    /// The fact that the file or its journal may still have what was deleted from it.
    private static let unclearedFact = "uncleared"

    /// Clears the file's free pages and its journal, where records were deleted because of a new schema: the schema may
    /// forbid storing values that they had. If this fails, as on a full disk, the next run tries again.
    private static func clear(_ pool: DatabasePool, _ vacuum: (DatabasePool) throws -> Void) throws {
        guard try pool.read({ try RecordTable.fact(unclearedFact, in: $0) }) != nil else { return }
        do {
            try vacuum(pool)
            _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try pool.write { try RecordTable.removeFact(unclearedFact, in: $0) }
        } catch let error as DatabaseError where !error.isDamage {}
    }

    /// Renames a file and its journals.
    private static func setAside(_ file: URL) throws -> URL {
        let aside = file.appendingPathExtension("damaged-\(UUID().uuidString)")
        for suffix in ["", "-wal", "-shm"] {
            let part = URL(fileURLWithPath: file.path + suffix)
            guard FileManager.default.fileExists(atPath: part.path) else { continue }
            try FileManager.default.moveItem(at: part, to: URL(fileURLWithPath: aside.path + suffix))
        }
        return aside
    }

    /// Closes the file and deletes it with its journals: nothing of the account stays on disk.
    public func delete() throws {
        // The file cannot be closed while a read is under way, but it can be deleted.
        try? database.close()
        for suffix in ["", "-wal", "-shm"] {
            let part = file.path + suffix
            if FileManager.default.fileExists(atPath: part) { try FileManager.default.removeItem(atPath: part) }
        }
    }

    // MARK: - Writes

    /// Stores the answer to a query. Fields that failed keep the values that they had.
    public func write<Query: QueryOperation>(_ response: Response, of query: Query) async throws {
        let mark = meanwhile.begin()
        defer { meanwhile.end(mark) }
        try await write(response, of: query, since: mark)
    }

    /// - Parameter mark: the mark of `meanwhile` from before the query was sent.
    func write<Query: QueryOperation>(
        _ response: Response, of query: Query, since mark: RecordChanges.Mark
    ) async throws {
        try await write { [meanwhile] transaction in
            guard let data = response.data else { return }
            let records = try transaction.merge(
                data, Query.Data.selection, key: Normaliser.queryRoot, variables: query.variables.values,
                errors: response.errors)
            try transaction.merge(meanwhile.changes(since: mark), over: records)
        }
    }

    /// Stores the objects of a mutation's answer.
    ///
    /// - Parameter mark: the mark of `meanwhile` from before the mutation was sent.
    func write<Mutation: MutationOperation>(
        _ response: Response, of mutation: Mutation, since mark: RecordChanges.Mark
    ) async throws {
        try await write { [meanwhile] transaction in
            guard let data = response.data else { return }
            let records = try transaction.merge(
                mutation: data, Mutation.Data.selection, variables: mutation.variables.values, errors: response.errors)
            let changes = meanwhile.changes(since: mark)
            meanwhile.note(RecordChange(records: records, isAnswer: true))
            try transaction.merge(changes.filter { !$0.isAnswer }, over: records)
        }
    }

    /// Runs one transaction, and then tells the observers of the records that it changed to read again.
    func write(_ body: @escaping @Sendable (inout StoreTransaction) throws -> Void) async throws {
        let changed = try await database.write { [schema, changedKeys, addresses] database in
            var transaction = StoreTransaction(database: database, schema: schema, addresses: addresses)
            try body(&transaction)
            if !transaction.changed.isEmpty { try changedKeys.record(transaction.changed, in: database) }
            return transaction.changed
        }
        if !changed.isEmpty { await observers.notify(changed) }
        if writes.isTimeToSweep() { try await sweep() }
    }

    /// Makes room where the store has more records than it may have.
    func sweep() async throws {
        let shown = await observers.shown
        let sweep = StoreSweep(limit: maximumRecords, shown: shown.names, watched: shown.keys)
        try await database.write { try sweep.run(in: $0) }
    }

    /// Pins the answer to a query, or unpins it. A pinned answer stays however full the store is.
    public func setPinned<Query: QueryOperation>(_ isPinned: Bool, _ query: Query) async throws {
        let names = Self.names(of: query)
        try await write { transaction in
            for name in names { try UseTable.setPinned(isPinned, name, in: transaction.database) }
        }
    }

    /// The root fields of a query.
    static func names<Query: QueryOperation>(of query: Query) -> [String] {
        let variables = query.variables.values
        var names: [String] = []
        Query.Data.selection.visit(typeName: nil, variables) { field, _ in
            names.append(field.storageKey(variables))
        }
        return names
    }

    // MARK: - Reads

    /// What the store has for a query.
    public func read<Query: QueryOperation>(_ query: Query) async throws -> StoredValue<Query.Data> {
        let variables = query.variables.values
        return try await database.read { [addresses] database in
            var reader = RecordReader(variables: variables, addresses: addresses) {
                try RecordTable.patched($0, in: database)
            }
            let object = try reader.object(Normaliser.queryRoot, Query.Data.selection)
            return try StoredValue(object, reader)
        }
    }

    /// The query's value now, and after each change of it. A reader that is slow gets the newest value alone.
    public func observe<Query: QueryOperation>(_ query: Query) -> AsyncThrowingStream<
        StoredValue<Query.Data>, any Error
    > {
        observations(of: Self.names(of: query)) { store in try await store.read(query) }
    }

    /// - Parameter names: the lists and root fields that are shown.
    private func observations<Value: SelectedObject>(
        of names: [String],
        _ read: @escaping @Sendable (Store) async throws -> StoredValue<Value>
    ) -> AsyncThrowingStream<StoredValue<Value>, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                let observer = await observers.add()
                await observers.show(names)
                var last: StoredValue<Value>?
                do {
                    for await _ in observer.wakeUps {
                        await observers.beginRead(observer.id)
                        let value = try await read(self)
                        await observers.watch(value.dependencies, observer.id)
                        if value != last { continuation.yield(value) }
                        last = value
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
                await observers.remove(observer.id)
                await observers.hide(names)
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

/// A value out of the store.
public struct StoredValue<Value: SelectedObject>: Sendable, Equatable {
    /// nil where the Swift type requires a field that was never read.
    public let value: Value?
    /// True where the store has every selected field, from the server or from a write that waits. Fields under `@defer`
    /// may be missing.
    public let isComplete: Bool
    let dependencies: Set<String>

    init(_ object: JSONObject?, _ reader: RecordReader) throws {
        isComplete = object != nil && !reader.isIncomplete
        dependencies = reader.dependencies
        do {
            value = try object.map { (object) throws(UnreadableResponse) in try Value(ObjectReader(object)) }
        } catch {
            if isComplete { throw error }
            value = nil
        }
    }
}

/// A transaction of the store, with the keys that it has changed so far.
struct StoreTransaction {
    let database: Database
    let schema: SchemaDescription
    let addresses: SignedAddresses
    var changed: Set<String> = []

    /// - Returns: the object's records, by their keys.
    @discardableResult mutating func merge(
        _ object: JSONObject, _ selection: SelectionSet, key: String, variables: JSONObject,
        errors: [ResponseError] = [], path: [String] = []
    ) throws -> [String: JSONObject] {
        var normaliser = Normaliser(schema: schema, variables: variables, errors: errors)
        normaliser.add(object, selection, key: key, path: path)
        if key == Normaliser.queryRoot {
            for field in normaliser.records[key]?.fields ?? [] { try UseTable.touch(field.name, in: database) }
        }
        try merge(normaliser.records, addresses: normaliser.addresses)
        return normaliser.records
    }

    /// Merges the objects of a mutation's answer. The payload itself is no object. It never comes into the file or its
    /// journal, since the names of its fields have the mutation's input, such as a password.
    ///
    /// - Returns: the objects' records, by their keys.
    mutating func merge(
        mutation data: JSONObject, _ selection: SelectionSet, variables: JSONObject, errors: [ResponseError]
    ) throws -> [String: JSONObject] {
        let payload = ""
        var normaliser = Normaliser(schema: schema, variables: variables, errors: errors)
        normaliser.add(data, selection, key: payload)
        let records = normaliser.records.filter { $0.key != payload }
        try merge(records, addresses: normaliser.addresses)
        return records
    }

    /// Merges what came while an answer was on its way, as far as it concerns the answer's records.
    mutating func merge(_ changes: [RecordChange], over answer: [String: JSONObject]) throws {
        for change in changes {
            changed.formUnion(try RecordTable.merge(change.records.filter { answer[$0.key] != nil }, in: database))
        }
    }

    /// - Parameter addresses: the whole addresses of the records' fields with `@signedAddress`.
    mutating func merge(_ records: [String: JSONObject], addresses read: [String]) throws {
        changed.formUnion(try RecordTable.merge(records, in: database))
        for address in read where addresses.keep(address) {
            changed.insert(SignedAddresses.changeKey(of: SignedAddresses.bare(address)))
        }
    }
}

extension DatabaseError {
    /// True where the file is damaged, or no database at all.
    fileprivate var isDamage: Bool {
        resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB
    }
}

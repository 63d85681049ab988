import Foundation
import GRDB

/// What one account has read from one server, and the writes that wait: a SQLite file.
public final class Store: Sendable {
    let database: DatabasePool
    let schema: SchemaDescription
    let observers = StoreObservers()
    let changedKeys: ChangedKeys
    /// Where a damaged file was put before this one was begun; nil where the file was sound.
    public let setAside: URL?
    private let file: URL
    private let maximumRecords: Int
    private let writes = WriteCounter()

    /// Opens the file of an account, or begins it.
    ///
    /// - Parameters:
    ///   - folder: is made where it is not there.
    ///   - server: the server's address.
    ///   - account: the account's id.
    ///   - maximumRecords: how many objects the file may have. Beyond it, lists and root fields that were not used for
    ///     longest are forgotten, unless they are pinned or shown.
    /// - Throws: `DatabaseError` where the file can be neither read nor replaced.
    public convenience init(
        folder: URL, server: URL, account: String, schema: SchemaDescription, maximumRecords: Int = 50_000
    ) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try self.init(
            file: folder.appendingPathComponent(Self.fileName(server, account)), schema: schema,
            maximumRecords: maximumRecords)
    }

    init(file: URL, schema: SchemaDescription, maximumRecords: Int = 50_000) throws {
        var setAside: URL?
        do { database = try Self.open(file, schema) } catch let error as DatabaseError where error.isDamage {
            setAside = try Self.setAside(file)
            database = try Self.open(file, schema)
        }
        changedKeys = ChangedKeys(last: try database.read { try ChangedKeys.number(in: $0) })
        self.setAside = setAside
        self.maximumRecords = maximumRecords
        self.schema = schema
        self.file = file
    }

    /// Letters and digits stay; every other byte becomes its number, so that two accounts never share a file.
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

    private static func open(_ file: URL, _ schema: SchemaDescription) throws -> DatabasePool {
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
        try migrator.migrate(pool)
        try pool.write { database in
            guard try RecordTable.fact("schema", in: database) != schema.version else { return }
            try RecordTable.empty(in: database)
            try ListTable.empty(in: database)
            try UseTable.empty(in: database)
            try RecordTable.setFact("schema", schema.version, in: database)
        }
        return pool
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
        // A read that is under way keeps the file open: its name goes all the same.
        try? database.close()
        for suffix in ["", "-wal", "-shm"] {
            let part = file.path + suffix
            if FileManager.default.fileExists(atPath: part) { try FileManager.default.removeItem(atPath: part) }
        }
    }

    // MARK: - Writes

    /// Stores what a query has answered. Fields that failed keep their values of before.
    public func write<Query: QueryOperation>(_ response: Response, of query: Query) async throws {
        try await write { transaction in
            guard let data = response.data else { return }
            try transaction.merge(
                data, Query.Data.selection, key: Normaliser.queryRoot, variables: query.variables.values,
                errors: response.errors)
        }
    }

    /// One transaction, after which the observers of the records that it changed read again.
    func write(_ body: @escaping @Sendable (inout StoreTransaction) throws -> Void) async throws {
        let changed = try await database.write { [schema, changedKeys] database in
            var transaction = StoreTransaction(database: database, schema: schema)
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

    /// Keeps what a query has read, however full the store is; or no longer.
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
        return try await database.read { database in
            var reader = RecordReader(variables: variables) { try RecordTable.patched($0, in: database) }
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
    /// nil where a field that the value cannot be without was never read.
    public let value: Value?
    /// Whether every selected field was read from the server at some time.
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

/// What a transaction of the store does, and the keys of what it changes.
struct StoreTransaction {
    let database: Database
    let schema: SchemaDescription
    var changed: Set<String> = []

    mutating func merge(
        _ object: JSONObject, _ selection: SelectionSet, key: String, variables: JSONObject,
        errors: [ResponseError] = [], path: [String] = []
    ) throws {
        var normaliser = Normaliser(schema: schema, variables: variables, errors: errors)
        normaliser.add(object, selection, key: key, path: path)
        if key == Normaliser.queryRoot {
            for field in normaliser.records[key]?.fields ?? [] { try UseTable.touch(field.name, in: database) }
        }
        changed.formUnion(try RecordTable.merge(normaliser.records, in: database))
    }
}

extension DatabaseError {
    /// Whether the file is no database any more.
    fileprivate var isDamage: Bool {
        resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB
    }
}

import App
import Auth
import Logging
import Postgres

/// Brings the accounts, documents and pictures of a Firebase project into the database.
///
/// All input is read and checked into temporary tables first, then compared with the database, then written. An import
/// that was interrupted is repeated: what is there already is passed over.
public struct FirebaseImport {
    /// The files of an export.
    public struct Input: Sendable {
        /// The JSON of `firebase auth:export`.
        public var accounts: [String] = []
        public var passwordParameters: FirebasePasswordParameters?
        /// JSON exports of Firestore.
        public var firestore: [String] = []
        /// JSON exports of the Realtime Database.
        public var realtimeDatabase: [String] = []
        /// The folder of Storage files.
        public var storage: String?

        public init() {}
    }

    private let input: Input
    private let mapping: Mapping
    private let source: String
    private let imageQuota: Int
    private let report: ImportReport
    private let connection: DedicatedConnection
    private let logger: Logger

    /// - Parameters:
    ///   - source: the name of the app or project, under which old ids are kept.
    ///   - imageQuota: the bytes that an account's images may take up.
    ///   - connection: of a role that bypasses row-level security. The import's temporary tables stay until it is
    ///     closed.
    public init(
        _ input: Input, mapping: Mapping, source: String, imageQuota: Int, report: ImportReport,
        connection: DedicatedConnection, logger: Logger
    ) {
        self.input = input
        self.mapping = mapping
        self.source = source
        self.imageQuota = imageQuota
        self.report = report
        self.connection = connection
        self.logger = logger
    }

    /// - Parameter isDryRun: whether nothing is written but the report.
    public func run(isDryRun: Bool) async throws {
        let isBypassing: SQL = "select rolsuper or rolbypassrls from pg_roles where rolname = current_user"
        guard try await connection.one(isBypassing, { $0.bool(0) }) else {
            throw ImportFailure(
                "Rows of other accounts are written only by a superuser: give such a role's address as --database-url.")
        }
        // An import that was killed may still be ending.
        try await connection.execute("select pg_advisory_lock(hashtextextended('import ' || \(source), 0))")
        try await connection.execute(script: "set work_mem = '64MB'; set temp_buffers = '64MB'")
        try await read()
        logger.info("All is read")
        try await Plan(connection: connection, source: source, imageQuota: imageQuota, report: report).make()
        try report.flush()
        logger.info("All is compared")
        if isDryRun { return }
        let folder = input.storage.map(StorageFolder.init)
        try await PlanWriter(connection: connection, source: source, folder: folder, report: report).write()
        try report.flush()
    }

    private func read() async throws {
        let now = Timestamp.now()
        var stage = try await Stage(connection)
        let accounts = AccountMapper(
            source: source, parameters: input.passwordParameters, now: now, report: report)
        for path in input.accounts {
            try await AccountReader(JSONScanner(InputFile(path))).forEach { place, account in
                try accounts.take(account, at: place, into: &stage)
                try await stage.copyIfFull()
            }
        }
        let mapper = Mapper(
            mapping: mapping, source: source, folder: input.storage.map(StorageFolder.init), now: now, report: report)
        for path in input.firestore {
            try await FirestoreReader(JSONScanner(InputFile(path)), skipped: report.leaveOut).forEach { document in
                mapper.take(document, into: &stage)
                try await stage.copyIfFull()
            }
        }
        for path in input.realtimeDatabase {
            let scanner = JSONScanner(try InputFile(path))
            try await RealtimeDatabaseReader(scanner, patterns: mapping.patterns, skipped: report.leaveOut)
                .forEach { document in
                    mapper.take(document, into: &stage)
                    try await stage.copyIfFull()
                }
        }
        try await stage.copy()
    }
}

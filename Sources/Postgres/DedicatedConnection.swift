import CLibpq
import Glibc

/// A connection outside of any pool, without pipeline mode, on a thread of its own: for migrations, COPY and tools.
///
/// Calls run one after another. They wait for the server without a limit unless the configuration sets
/// `statementTimeout`.
public final class DedicatedConnection: Sendable {
    private let thread: SerialThread
    private let handle: Handle

    /// The libpq connection, used only on the connection's thread.
    private final class Handle: @unchecked Sendable {
        private(set) var libpq: OpaquePointer?
        init(_ libpq: OpaquePointer) { self.libpq = libpq }
        deinit { finish() }

        func finish() {
            if let libpq { PQfinish(libpq) }
            libpq = nil
        }
    }

    private init(thread: SerialThread, handle: Handle) {
        self.thread = thread
        self.handle = handle
    }

    deinit { thread.stop() }

    public static func open(_ configuration: ConnectionConfiguration) async throws -> DedicatedConnection {
        let thread = SerialThread(named: "postgres-own")
        do {
            let handle = try await thread.run { Handle(try configuration.connect()) }
            return DedicatedConnection(thread: thread, handle: handle)
        } catch {
            thread.stop()
            throw error
        }
    }

    /// Runs any number of statements by the simple query protocol. Without BEGIN they are one transaction.
    public func execute(script: String) async throws {
        try await onThread { libpq in
            PQclear(try Self.checked(PQexec(libpq, script), libpq))
        }
    }

    @discardableResult
    public func execute(_ sql: SQL) async throws -> Rows {
        try await onThread { libpq in
            let offsets = sql.parameters
            let text = sql.text
            let result = sql.bytes.storage.withUnsafeBytes { bytes in
                let values: [UnsafePointer<CChar>?] = offsets.map { parameter in
                    guard parameter.length >= 0 else { return nil }
                    guard let base = bytes.baseAddress else { return Self.noBytes }
                    return (base + Int(parameter.offset)).assumingMemoryBound(to: CChar.self)
                }
                return PQexecParams(
                    libpq, text, Int32(truncatingIfNeeded: offsets.count), offsets.map(\.oid), values,
                    offsets.map(\.length), offsets.map { _ in 1 }, 1)
            }
            return Rows(QueryResult(try Self.checked(result, libpq)), from: .text(text))
        }
    }

    public func run<S: Statement>(_ statement: S) async throws -> [S.Output] {
        try await execute(statement.sql).decoded(by: statement)
    }

    /// The row of a statement that returns exactly one.
    public func one<R>(_ sql: SQL, _ decode: (Row) throws -> R) async throws -> R {
        guard let output = try await execute(sql).first(decode) else { preconditionFailure("\(sql.text) has no row") }
        return output
    }

    /// The names of a statement's columns and the OIDs of their types. The statement is prepared, but does not run.
    func columns(of text: String, parameterTypes: [UInt32]) async throws -> [(name: String, type: UInt32)] {
        try await onThread { libpq in
            PQclear(
                try Self.checked(
                    PQprepare(libpq, "", text, Int32(truncatingIfNeeded: parameterTypes.count), parameterTypes), libpq))
            let description = try Self.checked(PQdescribePrepared(libpq, ""), libpq)
            defer { PQclear(description) }
            return (0..<PQnfields(description)).map {
                (PQfname(description, $0).map { String(cString: $0) } ?? "", PQftype(description, $0))
            }
        }
    }

    /// Runs `body` in a transaction. Commits when it returns, rolls back when it throws.
    public func transaction<R: Sendable>(_ body: (DedicatedConnection) async throws -> R) async throws -> R {
        do {
            try await execute("begin")
            let result = try await body(self)
            try await execute("commit")
            return result
        } catch {
            _ = try? await execute("rollback")
            throw error
        }
    }

    /// Whether a transaction is open, failed or not.
    public var isInTransaction: Bool {
        get async throws { try await onThread { PQtransactionStatus($0) != PQTRANS_IDLE } }
    }

    /// Runs a `copy … from stdin`. `write` supplies the data; the copy is undone when it throws.
    public func copyIn(_ sql: SQL, _ write: @escaping @Sendable (inout CopyWriter) throws -> Void) async throws {
        try await onThread { libpq in
            guard let result = PQexec(libpq, sql.text) else { throw PostgresError.unavailable }
            guard PQresultStatus(result) == PGRES_COPY_IN else {
                PQclear(try Self.checked(result, libpq))
                return
            }
            PQclear(result)
            var writer = CopyWriter(libpq)
            let failure = Result {
                try write(&writer)
                try writer.flush()
            }
            if case .success = failure {
                PQputCopyEnd(libpq, nil)
            } else {
                PQputCopyEnd(libpq, "the writer gave up")
            }
            let ends = Result { try Self.drain(libpq) }
            try failure.get()
            try ends.get()
        }
    }

    /// Closes the connection. Later calls throw `PostgresError.unavailable`.
    public func close() async {
        let handle = handle
        _ = try? await thread.run { handle.finish() }
        thread.stop()
    }

    /// The address of an empty value: a null pointer would mean NULL, and this one is never read.
    private static var noBytes: UnsafePointer<CChar>? { UnsafePointer(bitPattern: 1) }

    private func onThread<R: Sendable>(_ body: @escaping @Sendable (OpaquePointer) throws -> R) async throws -> R {
        let handle = handle
        return try await thread.run {
            guard let libpq = handle.libpq else { throw PostgresError.unavailable }
            return try body(libpq)
        }
    }

    private static func checked(_ result: OpaquePointer?, _ libpq: OpaquePointer) throws -> OpaquePointer {
        guard let result else { throw PostgresError.unavailable }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return result
        default:
            defer { PQclear(result) }
            if PQstatus(libpq) != CONNECTION_OK { throw PostgresError.connectionLost(outcomeUnknown: true) }
            throw PostgresError.server(ServerError(result))
        }
    }

    private static func drain(_ libpq: OpaquePointer) throws {
        var failure: (any Error)?
        while let result = PQgetResult(libpq) {
            do { PQclear(try checked(result, libpq)) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }
}

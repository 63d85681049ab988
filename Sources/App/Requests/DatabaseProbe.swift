import Logging
import Postgres
import Synchronization

/// Calls a function in a new session, as a request's statements would, and compares the types of columns with those that
/// this release reads. The sessions of the pools have loaded their libraries already, so only a new session shows that
/// PostgreSQL's files still belong to the running server.
public final class DatabaseProbe: Sendable {
    /// The state of the database.
    public enum Answer: Sendable, Equatable {
        /// Reads and writes work.
        case writes
        /// The server is a standby, or the database is set to be read-only.
        case readsOnly
        /// PostgreSQL's package was upgraded while the server ran.
        case cannotLoadLibraries
        /// The function failed.
        /// - Parameter reason: the SQLSTATE and PostgreSQL's message, without values.
        case fails(reason: String)
        /// A column is missing or has another type than this release reads: statements that read it fail.
        /// - Parameter reason: the statement, the column and the types.
        case hasOtherColumns(reason: String)
        /// No session could be opened. The sessions of the pools may still work.
        case noSession
    }

    private let connection: ConnectionConfiguration
    private let columnFaults: ColumnFaults
    private let now: @Sendable () -> Timestamp
    private let onClock: @Sendable (ClockReading) -> Void

    /// The time between two comparisons of the objects' columns, in microseconds. A comparison takes twice as long as the rest
    /// of a probe. Requests compare the columns that they read themselves.
    private static let checkInterval: Int64 = 60_000_000
    /// The time of the last comparison, in microseconds; nil before the first.
    private let checkedAt = Mutex<Int64?>(nil)

    /// - Parameters:
    ///   - connection: the configuration of sessions in the role of requests, with a `statementTimeout`.
    ///   - columnFaults: those of the pools; a probe adds those that it finds.
    ///   - onClock: called with a comparison of the clocks whenever the function was called.
    public init(
        _ connection: ConnectionConfiguration, columnFaults: ColumnFaults = ColumnFaults(),
        now: @escaping @Sendable () -> Timestamp = Timestamp.now,
        onClock: @escaping @Sendable (ClockReading) -> Void = { _ in }
    ) {
        var connection = connection
        // The pools already log that the database cannot be reached.
        connection.logger.logLevel = .error
        self.connection = connection
        self.columnFaults = columnFaults
        self.now = now
        self.onClock = onClock
    }

    /// Opens a session, calls the function and closes the session.
    public func ask() async -> Answer {
        do {
            let session = try await DedicatedConnection.open(connection)
            let answer = await ask(session)
            await session.close()
            return answer
        } catch {
            return .noSession
        }
    }

    private func ask(_ session: DedicatedConnection) async -> Answer {
        do {
            let before = now()
            guard let state = try await session.run(DatabaseState()).first else { return .noSession }
            onClock(ClockReading(database: state.time, before: before, after: now()))
            let unprepared = try await checkColumns(on: session)
            if let fault = columnFaults.first { return .hasOtherColumns(reason: "\(fault)") }
            if let unprepared { return .hasOtherColumns(reason: unprepared) }
            return state.readsOnly ? .readsOnly : .writes
        } catch PostgresError.column(let error) {
            return .hasOtherColumns(reason: "\(error)")
        } catch let error as PostgresError {
            guard let server = error.server else { return .noSession }
            return server.isForLackOfLibrary ? .cannotLoadLibraries : .fails(reason: server.withoutValues)
        } catch {
            return .fails(reason: "\(error)")
        }
    }

    /// Compares the columns of the statements that had faults, and those of the objects' statements if that is due. An error of
    /// the server puts it off to the next probe, such as that of a wait for a table that a migration has locked.
    /// - Returns: why a statement of the objects cannot be prepared; nil if all can.
    private func checkColumns(on session: DedicatedConnection) async throws -> String? {
        let now = now().microseconds
        do {
            let isMended = try await columnFaults.recheck(on: session)
            let isRecent = checkedAt.withLock { checked in
                checked.map { ($0..<$0 + Self.checkInterval).contains(now) } ?? false
            }
            if isRecent, !isMended { return nil }
            for type in NodeTypes.all {
                if let unprepared = try await check(type, on: session) { return unprepared }
            }
            checkedAt.withLock { $0 = now }
        } catch let error as PostgresError where error.server != nil {}
        return nil
    }

    private func check<Object: NodeObject>(_ type: Object.Type, on session: DedicatedConnection) async throws -> String?
    {
        do {
            try await columnFaults.check(Object.byID([]), Object.columnTypes, on: session)
            return nil
        } catch let error as PostgresError {
            // Class 42: the statement names what does not exist.
            guard let server = error.server, server.sqlstate.isInClass("42") else { throw error }
            return "\(Object.ByID.self) cannot be prepared: \(server.withoutValues)"
        }
    }
}

struct DatabaseState: Statement {
    var sql: SQL { "select session_reads_only(), clock_timestamp()" }
    func decode(_ row: Row) -> (readsOnly: Bool, time: Timestamp) { (row.bool(0), row.timestamp(1)) }
}

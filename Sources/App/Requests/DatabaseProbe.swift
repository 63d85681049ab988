import Logging
import Postgres

/// Calls a function in PL/pgSQL in a new session. The sessions of the pools have loaded their libraries already, so
/// only a new session shows that PostgreSQL's files still belong to the running server.
public struct DatabaseProbe: Sendable {
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
        /// No session could be opened, or the session ended before it answered. The sessions of the pools may still
        /// work.
        case noSession
    }

    private let connection: ConnectionConfiguration
    private let now: @Sendable () -> Timestamp
    private let onClock: @Sendable (ClockReading) -> Void

    /// - Parameters:
    ///   - connection: the configuration of sessions in the role of requests, with a `statementTimeout`.
    ///   - onClock: called with a comparison of the clocks whenever the function has answered.
    public init(
        _ connection: ConnectionConfiguration, now: @escaping @Sendable () -> Timestamp = Timestamp.now,
        onClock: @escaping @Sendable (ClockReading) -> Void = { _ in }
    ) {
        var connection = connection
        // The pools already log that the database cannot be reached.
        connection.logger.logLevel = .error
        self.connection = connection
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
            return state.readsOnly ? .readsOnly : .writes
        } catch let error as PostgresError {
            guard let server = error.server else { return .noSession }
            return server.isForLackOfLibrary ? .cannotLoadLibraries : .fails(reason: server.withoutValues)
        } catch {
            return .fails(reason: "\(error)")
        }
    }
}

struct DatabaseState: Statement {
    var sql: SQL { "select session_reads_only(), clock_timestamp()" }
    func decode(_ row: Row) -> (readsOnly: Bool, time: Timestamp) { (row.bool(0), row.timestamp(1)) }
}

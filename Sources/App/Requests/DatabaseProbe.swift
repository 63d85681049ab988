import Logging
import Postgres

/// Calls a function in a new session, as a request's statements would. The sessions of the pools have loaded their
/// libraries already, so only a new session shows that PostgreSQL's files still belong to the running server.
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
        /// No session could be opened. The sessions of the pools may still work.
        case noSession
    }

    private let connection: ConnectionConfiguration

    /// - Parameter connection: the configuration of sessions in the role of requests, with a `statementTimeout`.
    public init(_ connection: ConnectionConfiguration) {
        var connection = connection
        // The pools already log that the database cannot be reached.
        connection.logger.logLevel = .error
        self.connection = connection
    }

    /// Opens a session, calls the function and closes the session.
    public func ask() async -> Answer {
        do {
            let session = try await DedicatedConnection.open(connection)
            let answer = await Self.ask(session)
            await session.close()
            return answer
        } catch {
            return .noSession
        }
    }

    private static func ask(_ session: DedicatedConnection) async -> Answer {
        do {
            return try await session.run(SessionReadsOnly()).first == true ? .readsOnly : .writes
        } catch let error as PostgresError {
            guard let server = error.server else { return .noSession }
            return server.isForLackOfLibrary ? .cannotLoadLibraries : .fails(reason: server.withoutValues)
        } catch {
            return .fails(reason: "\(error)")
        }
    }
}

struct SessionReadsOnly: Statement {
    var sql: SQL { "select session_reads_only()" }
    func decode(_ row: Row) -> Bool { row.bool(0) }
}

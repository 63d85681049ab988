import Logging
import Postgres

/// Runs a function in a session of its own, as a request's statements run theirs. The sessions of the pools have loaded
/// what they need: only a new one shows that PostgreSQL's files still belong to the server that runs.
public struct DatabaseProbe: Sendable {
    public enum Answer: Sendable, Equatable {
        case writes
        /// A standby, or a database that is set to be read only.
        case readsOnly
        /// PostgreSQL's package was upgraded while it ran.
        case cannotLoadLibraries
        /// - Parameter reason: an SQLSTATE and what PostgreSQL says, without values.
        case fails(reason: String)
        /// No session was to be had. What the pools have may work on.
        case noSession
    }

    private let connection: ConnectionConfiguration

    /// - Parameter connection: as the role of requests, with a `statementTimeout`.
    public init(_ connection: ConnectionConfiguration) {
        var connection = connection
        // The pools log it when nothing can be reached.
        connection.logger.logLevel = .error
        self.connection = connection
    }

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

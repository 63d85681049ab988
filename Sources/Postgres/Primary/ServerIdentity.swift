import CLibpq
import Glibc

/// The server that a session leads to.
struct ServerIdentity: Sendable, Equatable {
    /// The time at which PostgreSQL was started, as text, which tells apart two servers. A crash that PostgreSQL
    /// recovers from by itself does not change it.
    let start: String
    /// The number of the cluster, which its standbys have too.
    let system: String
    /// The timeline on which the server writes. Each promotion begins another with a higher number. nil on a standby.
    let timeline: UInt32?

    init(start: String, system: String, timeline: UInt32?) {
        (self.start, self.system, self.timeline) = (start, system, timeline)
    }

    /// Asks a session that is neither in pipeline mode nor running a statement.
    /// - Returns: nil where the answer has not come by the deadline, or the session has ended.
    init?(_ libpq: OpaquePointer, deadline: Instant) {
        guard PQsendQuery(libpq, Self.query) == 1 else { return nil }
        var fields: [String] = []
        while true {
            while PQisBusy(libpq) != 0 {
                let left = (deadline - Instant.now()).milliseconds
                var socket = pollfd(fd: PQsocket(libpq), events: Int16(POLLIN), revents: 0)
                guard left > 0, poll(&socket, 1, Int32(left)) >= 0, PQconsumeInput(libpq) == 1 else { return nil }
            }
            guard let result = PQgetResult(libpq) else { break }
            if PQresultStatus(result) == PGRES_TUPLES_OK, PQntuples(result) == 1 {
                fields = (0..<3).map { PQgetvalue(result, 0, $0).map { String(cString: $0) } ?? "" }
            }
            PQclear(result)
        }
        guard fields.count == 3 else { return nil }
        self.init(start: fields[0], system: fields[1], timeline: UInt32(fields[2], radix: 16))
    }

    /// The name of a WAL file begins with the timeline.
    /// Source: PostgreSQL's manual, "Backup Control Functions"
    private static let query = """
        select pg_postmaster_start_time(), system_identifier, case when not pg_is_in_recovery() \
        then left(pg_walfile_name(pg_current_wal_lsn()), 8) end from pg_control_system()
        """
}

import CLibpq
import Glibc
import Synchronization

/// One connection in libpq's pipeline mode. Callers send under the lock; the pool's reader receives under it.
///
/// PostgreSQL's manual, "Pipeline Mode". Everything but `lock` and `load` is guarded by the lock.
final class PipelineConnection: @unchecked Sendable {
    /// Marks within `load`, far above any number of segments.
    static let heldAlone = 1 << 20
    static let down = 1 << 30

    let index: Int
    let lock = Lock()
    /// Segments in flight, plus the marks.
    let load = Atomic<Int>(PipelineConnection.down)

    private(set) var libpq: OpaquePointer?
    /// Grows with each reconnect, so that whoever holds a connection alone sees that its session is gone.
    private(set) var generation = 0
    private(set) var inFlight = Ring<Request>()
    private var prepared = PreparedStatements()
    private var lastHeard = Instant(nanoseconds: 0)

    init(index: Int) { self.index = index }

    var isUp: Bool { libpq != nil }
    var socket: Int32 { libpq.map { PQsocket($0) } ?? -1 }

    /// No transaction is open and nothing is in flight.
    var isIdle: Bool {
        guard let libpq else { return false }
        return inFlight.isEmpty && PQtransactionStatus(libpq) == PQTRANS_IDLE
    }

    func adopt(_ connection: OpaquePointer) -> Bool {
        guard PQsetnonblocking(connection, 1) == 0, PQenterPipelineMode(connection) == 1 else { return false }
        libpq = connection
        generation += 1
        lastHeard = Instant.now()
        prepared = PreparedStatements()
        return true
    }

    /// Closes the connection and returns what was in flight.
    func close() -> [Request] {
        if let libpq { PQfinish(libpq) }
        libpq = nil
        return inFlight.removeAll()
    }

    // MARK: Sending

    /// Sends settings and statements, then Sync. False when the connection is of no more use.
    func send(_ request: Request) -> Bool {
        guard let libpq else { return false }
        inFlight.append(request)
        // Statements are prepared in front of everything, where an error of a statement cannot skip them.
        let settings = request.settings.flatMap { prepare($0, request, libpq) }
        let first = request.first.flatMap { prepare($0, request, libpq) }
        let rest = request.rest.map { prepare($0, request, libpq) }
        if let sql = request.settings, !execute(sql, settings, libpq) { return false }
        if let sql = request.first, !execute(sql, first, libpq) { return false }
        for (sql, statement) in zip(request.rest, rest) where !execute(sql, statement, libpq) { return false }
        return PQpipelineSync(libpq) == 1
    }

    /// Whether bytes wait for the socket; nil when the connection is of no more use.
    func flush() -> Bool? {
        guard let libpq else { return nil }
        switch PQflush(libpq) {
        case 0: return false
        case 1: return true
        default: return nil
        }
    }

    private func prepare(_ sql: SQL, _ request: Request, _ libpq: OpaquePointer) -> PreparedStatement? {
        switch prepared.look(up: sql) {
        case .prepared(let statement): return statement
        case .full: return nil
        case .new(let statement):
            let sent = withUnsafeTemporaryAllocation(of: Oid.self, capacity: sql.parameters.count) { types in
                for (index, parameter) in sql.parameters.enumerated() {
                    types.initializeElement(at: index, to: parameter.oid)
                }
                return PQsendPrepare(libpq, statement.name, sql.text, Int32(types.count), types.baseAddress) == 1
            }
            if sent { request.preparing.append(statement) }
            return sent ? statement : nil
        }
    }

    private func execute(_ sql: SQL, _ statement: PreparedStatement?, _ libpq: OpaquePointer) -> Bool {
        let count = sql.parameters.count
        let number = Int32(truncatingIfNeeded: count)
        return withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * count) { numbers in
                sql.bytes.storage.withUnsafeBytes { bytes in
                    for (index, parameter) in sql.parameters.enumerated() {
                        var address: UnsafePointer<CChar>?
                        if parameter.length > 0, let base = bytes.baseAddress {
                            address = (base + Int(parameter.offset)).assumingMemoryBound(to: CChar.self)
                        } else if parameter.length == 0 {
                            // Any address will do for no bytes, but a null pointer means NULL.
                            address = UnsafePointer(numbers.baseAddress).map {
                                UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self)
                            }
                        }
                        values.initializeElement(at: index, to: address)
                        numbers.initializeElement(at: index, to: parameter.length)
                        numbers.initializeElement(at: count + index, to: 1)
                    }
                    let lengths = numbers.baseAddress
                    let formats = numbers.baseAddress.map { $0 + count }
                    if let statement {
                        return PQsendQueryPrepared(
                            libpq, statement.name, number, values.baseAddress, lengths, formats, 1) == 1
                    }
                    return PQsendQueryParams(
                        libpq, sql.text, number, sql.parameters.map(\.oid), values.baseAddress, lengths, formats, 1)
                        == 1
                }
            }
        }
    }

    // MARK: Receiving

    /// Reads what has come and appends the requests that it completes. False when the connection has died.
    func receive(now: Instant, completed: inout [Request]) -> Bool {
        guard let libpq else { return true }
        let isAlive = PQconsumeInput(libpq) == 1
        lastHeard = now
        var endsInARow = 0
        while let request = inFlight.first, PQisBusy(libpq) == 0 {
            guard let result = PQgetResult(libpq) else {
                // NULL ends a statement's results. Two in a row: libpq has no more to give.
                endsInARow += 1
                guard endsInARow < 2 else { break }
                request.commandsAnswered += 1
                continue
            }
            endsInARow = 0
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                PQclear(result)
                _ = inFlight.popFirst()
                if !sendAgain(request) { completed.append(request) }
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
                keep(QueryResult(result), of: request)
            case PGRES_PIPELINE_ABORTED:
                skipped(request)
                PQclear(result)
            case PGRES_FATAL_ERROR:
                failed(request, result)
                PQclear(result)
            default:
                // COPY cannot run in pipeline mode; whoever sent one loses the connection.
                PQclear(result)
                return false
            }
        }
        return isAlive
    }

    private func keep(_ result: QueryResult, of request: Request) {
        let prefix = request.preparing.count + (request.settings == nil ? 0 : 1)
        guard request.commandsAnswered >= prefix else { return }
        if request.firstResult == nil { request.firstResult = result } else { request.results.append(result) }
    }

    private func failed(_ request: Request, _ result: OpaquePointer) {
        let position =
            request.commandsAnswered - request.preparing.count - (request.settings == nil ? 0 : 1)
        request.error = ServerError(result, statement: position >= 0 ? position : nil)
        skipped(request)
    }

    /// A statement whose Parse failed or was skipped is not prepared.
    private func skipped(_ request: Request) {
        guard request.commandsAnswered < request.preparing.count else { return }
        prepared.failed(request.preparing[request.commandsAnswered])
    }

    /// Sends a segment once more when it failed only because the server did not have its statements prepared
    /// as this connection believed: an earlier Parse failed, or a migration changed a result's type.
    private func sendAgain(_ request: Request) -> Bool {
        guard let error = request.error, error.lostItsPlan else { return false }
        for sql in [request.settings, request.first].compactMap({ $0 }) + request.rest { prepared.forget(sql) }
        guard !request.wasSentAgain, !request.isExclusive, !request.isDecided else { return false }
        request.wasSentAgain = true
        request.commandsAnswered = 0
        request.preparing = []
        request.firstResult = nil
        request.results = []
        request.error = nil
        return send(request)
    }

    // MARK: Time

    /// Fails what is past its deadline, whose answer is then discarded when it comes.
    func expire(now: Instant) -> Int {
        var count = 0
        inFlight.forEach { request in
            if request.deadline < now, request.finish(.failure(PostgresError.timeout)) { count += 1 }
        }
        return count
    }

    func isSilent(now: Instant, _ configuration: PoolConfiguration) -> Bool {
        guard let head = inFlight.first else { return false }
        let expected = max(max(lastHeard, head.sentAt) + configuration.deadline, head.deadline)
        return expected + configuration.grace < now
    }
}

extension ServerError {
    /// 26000: no such prepared statement. 0A000 from RevalidateCachedQuery: "cached plan must not change result type".
    var lostItsPlan: Bool {
        sqlstate == .invalidSQLStatementName
            || sqlstate == .featureNotSupported && sourceFunction == "RevalidateCachedQuery"
    }
}

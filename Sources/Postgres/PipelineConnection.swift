import CLibpq

/// A session in libpq's pipeline mode. Its owner serialises the calls with a lock.
///
/// PostgreSQL's manual, "Pipeline Mode". `PipelineState` interprets the answers.
final class PipelineConnection {
    /// The number of the session, as in its `Lease`.
    let session: Int
    let server: ServerIdentity
    /// As in `PrimaryTimeline.isOutdated`.
    let generation: Int
    private let libpq: OpaquePointer
    private var pipeline: PipelineState<Request>
    private var prepared = PreparedStatements()

    /// Takes ownership of a session. Returns nil, and ends the session, where pipeline mode cannot be entered.
    /// - Parameter number: the number of the session, as in its `Lease`.
    init?(_ opened: ConnectionConfiguration.Session, number: Int, now: Instant) {
        session = number
        libpq = opened.libpq
        server = opened.server
        generation = opened.generation
        pipeline = PipelineState(now: now)
        guard PQsetnonblocking(libpq, 1) == 0, PQenterPipelineMode(libpq) == 1 else { return nil }
    }

    deinit { PQfinish(libpq) }

    var socket: Int32 { PQsocket(libpq) }
    var inFlight: Int { pipeline.count }

    /// True while no transaction is open and nothing is in flight.
    var isIdle: Bool { pipeline.isEmpty && PQtransactionStatus(libpq) == PQTRANS_IDLE }

    /// Removes and returns the requests in flight. The caller must finish them.
    func abandon() -> [Request] { pipeline.removeAll() }

    // MARK: Sending

    /// Sends settings and statements, then Sync. False when the session is broken.
    func send(_ request: Request, now: Instant, isRetry: Bool = false) -> Bool {
        var segment = PipelineState.Segment(request, deadline: request.deadline, sentAt: now)
        let settings = request.settingsAsSent
        segment.hasSettings = settings != nil
        segment.canBeSentAgain = !isRetry && !request.isExclusive
        // All statements are prepared first, since an error of a statement would skip a later Parse.
        segment.settings = settings.flatMap { prepare($0, &segment) }
        segment.first = request.first.flatMap { prepare($0, &segment) }
        segment.rest = request.rest.map { prepare($0, &segment) }
        pipeline.sent(segment)
        if let settings, !execute(settings, segment.settings) { return false }
        if let sql = request.first, !execute(sql, segment.first) { return false }
        for (sql, statement) in zip(request.rest, segment.rest) where !execute(sql, statement) { return false }
        return PQpipelineSync(libpq) == 1
    }

    /// Sends what the socket takes.
    /// - Returns: true where bytes still wait to be sent; nil when the session is broken.
    func flush() -> Bool? {
        switch PQflush(libpq) {
        case 0: return false
        case 1: return true
        default: return nil
        }
    }

    private func prepare(_ sql: SQL, _ segment: inout PipelineState<Request>.Segment) -> PreparedStatement? {
        switch prepared.look(up: sql) {
        // A segment that is not sent again must not fail because another segment's Parse fails.
        case .prepared(let statement) where !segment.canBeSentAgain && pipeline.isPreparing(statement): return nil
        case .prepared(let statement): return statement
        case .full: return nil
        case .new(let statement):
            let sent = withUnsafeTemporaryAllocation(of: Oid.self, capacity: sql.parameters.count) { types in
                for (index, parameter) in sql.parameters.enumerated() {
                    types.initializeElement(at: index, to: parameter.oid)
                }
                return PQsendPrepare(libpq, statement.name, sql.text, Int32(types.count), types.baseAddress) == 1
            }
            if sent { segment.preparing.append(statement) }
            return sent ? statement : nil
        }
    }

    private func execute(_ sql: SQL, _ statement: PreparedStatement?) -> Bool {
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
                            // An empty value needs any address that is not null, since a null pointer means NULL.
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

    /// Reads the server's answers, and appends the requests that they complete. False when the session has ended.
    func receive(now: Instant, completed: inout [Request]) -> Bool {
        let isAlive = PQconsumeInput(libpq) == 1
        pipeline.heard(now: now)
        var endsInARow = 0
        while !pipeline.isEmpty, PQisBusy(libpq) == 0 {
            guard let result = PQgetResult(libpq) else {
                // A NULL ends the results of a command. After two NULLs in a row libpq has no more results for now.
                endsInARow += 1
                guard endsInARow < 2 else { break }
                pipeline.commandEnded()
                continue
            }
            endsInARow = 0
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                PQclear(result)
                guard synced(now: now, completed: &completed) else { return false }
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
                let result = QueryResult(result)
                pipeline.resultArrived()?.keep(result)
            case PGRES_PIPELINE_ABORTED:
                PQclear(result)
                if let statement = pipeline.commandSkipped() { prepared.lost(statement) }
            case PGRES_FATAL_ERROR:
                failed(result)
                PQclear(result)
            default:
                // COPY cannot run in pipeline mode, so the request that sent it loses the connection.
                PQclear(result)
                return false
            }
        }
        return isAlive
    }

    /// Handles the answer to a Sync. False when a segment could not be sent again.
    private func synced(now: Instant, completed: inout [Request]) -> Bool {
        switch pipeline.synced(isDecided: { $0.isDecided }) {
        case .completed(let request): completed.append(request)
        case .sendAgain(let request):
            request.forgetAnswers()
            return send(request, now: now, isRetry: true)
        case nil: break
        }
        return true
    }

    private func failed(_ result: OpaquePointer) {
        var error = ServerError(result)
        guard let failure = pipeline.commandFailed(hasLostItsPlan: error.lostItsPlan) else { return }
        error.statement = failure.statement
        failure.request.error = error
        if let statement = failure.unprepared { prepared.lost(statement) }
        if let statement = failure.withoutPlan, error.sqlstate == .invalidSQLStatementName { prepared.lost(statement) }
        for statement in failure.inDoubt { prepared.forget(statement) }
    }

    // MARK: Time

    /// Fails the requests past their deadlines that are still undecided, and returns their number. Their answers are
    /// discarded when they come.
    func failOverdue(now: Instant) -> Int {
        var count = 0
        pipeline.overdue(now: now) { if $0.finish(.failure(PostgresError.timeout)) { count += 1 } }
        return count
    }

    func isSilent(now: Instant, _ configuration: PoolConfiguration) -> Bool {
        pipeline.isSilent(now: now, deadline: configuration.deadline, grace: configuration.grace)
    }
}

extension ServerError {
    /// 26000: no such prepared statement. 0A000 from RevalidateCachedQuery: "cached plan must not change result type".
    var lostItsPlan: Bool {
        sqlstate == .invalidSQLStatementName
            || sqlstate == .featureNotSupported && sourceFunction == "RevalidateCachedQuery"
    }
}

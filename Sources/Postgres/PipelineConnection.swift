import NIOCore

/// A session in which several segments are in flight. It writes the messages of segments and reads their answers, and
/// is used on one event loop.
///
/// PostgreSQL's manual, "Extended Query" and "Pipelining". `PipelineState` assigns the answers to the segments.
struct PipelineConnection {
    /// The messages that are to be written to the socket.
    var outbound = FrontendMessages()
    private var pipeline: PipelineState<Request>
    private var prepared = PreparedStatements()
    /// The rows of the statement that is being answered.
    private var rows = ResultRows()
    /// The columns of the statement that is being answered, where it is not prepared.
    private var describedColumns: [UInt32]?
    private var isInTransaction = false

    init(now: Instant) { pipeline = PipelineState(now: now) }

    var hasInFlight: Bool { !pipeline.isEmpty }

    /// Whether no transaction is open and nothing is in flight.
    var isIdle: Bool { pipeline.isEmpty && !isInTransaction }

    /// Removes and returns the requests in flight. The caller must finish them.
    mutating func abandon() -> [Request] { pipeline.removeAll() }

    // MARK: Sending

    /// Appends settings and statements, then Sync, to `outbound`.
    mutating func send(_ request: Request, now: Instant, isRetry: Bool = false) {
        var segment = PipelineState.Segment(request, deadline: request.deadline, sentAt: now)
        segment.hasSettings = request.settings != nil
        segment.canBeSentAgain = !isRetry && !request.isExclusive
        // All statements are prepared first, since an error of a statement would skip a later Parse.
        let settings = request.settings.flatMap { prepare($0, &segment) }
        segment.first = request.first.flatMap { prepare($0, &segment) }
        if !request.rest.isEmpty { segment.rest = request.rest.map { prepare($0, &segment) } }
        if let sql = request.settings { execute(sql, settings) }
        if let sql = request.first { execute(sql, segment.first) }
        for (sql, statement) in zip(request.rest, segment.rest) { execute(sql, statement) }
        outbound.sync()
        pipeline.sent(segment)
    }

    private mutating func prepare(_ sql: SQL, _ segment: inout PipelineState<Request>.Segment) -> PreparedStatement? {
        switch prepared.look(up: sql) {
        case .prepared(let statement): return statement
        case .full: return nil
        case .new(let statement):
            outbound.prepare(statement, sql)
            segment.preparing.append(statement)
            return statement
        }
    }

    private mutating func execute(_ sql: SQL, _ statement: PreparedStatement?) {
        if let statement {
            outbound.execute(sql, statement)
        } else {
            outbound.execute(unprepared: sql)
        }
    }

    // MARK: Receiving

    /// Reads the messages at the start of `input`, and appends the requests that they complete.
    /// - Returns: the number of bytes that were read; nil where the session cannot go on.
    mutating func receive(_ input: UnsafeRawBufferPointer, now: Instant, completed: inout [Request]) -> Int? {
        pipeline.heard(now: now)
        var position = 0
        while true {
            switch BackendMessage.first(in: UnsafeRawBufferPointer(rebasing: input[position...])) {
            case .incomplete: return position
            case .malformed: return nil
            case .message(let message):
                guard receive(message, now: now, completed: &completed) else { return nil }
                position += message.size
            }
        }
    }

    /// - Returns: false where the session cannot go on.
    private mutating func receive(_ message: BackendMessage, now: Instant, completed: inout [Request]) -> Bool {
        switch message.kind {
        case .dataRow: return rows.append(message.body)
        case .commandComplete, .emptyQueryResponse: commandCompleted(message)
        case .readyForQuery: synced(message, now: now, completed: &completed)
        case .rowDescription:
            guard let columns = message.columnTypes else { return false }
            described(columns)
        case .noData: described([])
        case .errorResponse: failed(message)
        case .parseComplete, .bindComplete, .closeComplete, .parameterDescription, .noticeResponse, .parameterStatus,
            .notificationResponse, .backendKeyData, .authentication:
            break
        // COPY cannot run among other segments, so the request that sent it loses the connection.
        case nil: return false
        }
        return true
    }

    private mutating func described(_ columns: [UInt32]) {
        if let statement = pipeline.statementInPreparation {
            statement.columns = columns
            pipeline.commandEnded()
        } else {
            describedColumns = columns
        }
    }

    private mutating func commandCompleted(_ message: BackendMessage) {
        if let request = pipeline.resultArrived() {
            let columns = describedColumns ?? pipeline.columnTypes
            request.keep(rows.finish(types: columns, affected: message.affected))
        } else {
            rows.removeAll()
        }
        describedColumns = nil
        pipeline.commandEnded()
    }

    private mutating func failed(_ message: BackendMessage) {
        rows.removeAll()
        describedColumns = nil
        var error = ServerError(message)
        guard let failure = pipeline.commandFailed(hasLostItsPlan: error.lostItsPlan) else { return }
        error.statement = failure.statement
        failure.request.error = error
        if let statement = failure.unprepared { prepared.failed(statement) }
        pipeline.commandEnded()
        // The server skips the other Parse messages of the segment without an answer.
        while let statement = pipeline.commandSkipped() {
            prepared.failed(statement)
            pipeline.commandEnded()
        }
    }

    /// Handles the answer to a Sync.
    private mutating func synced(_ message: BackendMessage, now: Instant, completed: inout [Request]) {
        isInTransaction = !message.saysIdle
        switch pipeline.synced(isDecided: { $0.isDecided }) {
        case .completed(let request): completed.append(request)
        case .completedUnprepared(let request):
            forgetStatements(of: request)
            completed.append(request)
        case .sendAgain(let request):
            forgetStatements(of: request)
            request.forgetAnswers()
            send(request, now: now, isRetry: true)
        case nil: break
        }
    }

    private mutating func forgetStatements(of request: Request) {
        for sql in [request.settings, request.first].compactMap({ $0 }) + request.rest { prepared.forget(sql) }
    }

    // MARK: Time

    /// Fails the requests past their deadlines, and returns their number. Their answers are discarded when they come.
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

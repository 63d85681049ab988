import CEpoll
import CLibpq
import Glibc
import Logging
import Synchronization

/// Carries out the actions of `PoolState` with sockets, threads and locks.
///
/// A caller sends its request itself, under the lock of the connection. One thread reads all connections, resumes the
/// callers and enforces the deadlines; another thread connects. The pool's lock is held only for calls of `PoolState`,
/// never while a connection's lock is taken or libpq is called. The threads retain the driver until `shutdown`.
final class PoolDriver: @unchecked Sendable {
    /// The interval in milliseconds at which deadlines are checked.
    private static let tick: Int32 = 25

    private let configuration: PoolConfiguration
    /// The connections' sessions, each under a lock of its own; nil while a connection is down.
    private let slots: [Guarded<PipelineConnection?>]
    private let epoll = Epoll()

    private let state: Guarded<PoolState<Request>>
    /// Wakes the connector's thread when a connection has broken, or the pool has been terminated.
    private let connectorWake: Condition
    private let isTerminated = Atomic<Bool>(false)
    /// Its lock, too, is never held while another is taken.
    private let commits: Guarded<CommitState<Request>>

    init(_ configuration: PoolConfiguration) {
        self.configuration = configuration
        let limits = PoolState<Request>.Limits(
            connections: max(1, configuration.connections), maxInFlight: configuration.maxInFlight,
            maxQueue: configuration.maxQueue, patience: configuration.patience,
            slowAfter: configuration.slowAfter)
        slots = (0..<limits.connections).map { _ in Guarded(nil) }
        let lock = Lock()
        state = Guarded(PoolState(limits, now: .now()), by: lock)
        connectorWake = Condition(lock)
        commits = Guarded(CommitState(configuration.commitSharing))
        startThread(named: "postgres-read") { self.readUntilTerminated() }
        startThread(named: "postgres-conn") { self.connectUntilTerminated() }
    }

    var statistics: PoolStatistics {
        var statistics = state.withLock { $0.counts }
        statistics.inFlight = slots.reduce(0) { $0 + $1.withLock { $0?.inFlight ?? 0 } }
        (statistics.sharedCommits, statistics.durableCommits) = commits.withLock { $0.counts }
        return statistics
    }

    // MARK: Sending

    func dispatch(_ request: Request, now: Instant) {
        guard !request.hasTooManyParameters else {
            request.finish(.failure(PostgresError.tooManyParameters))
            return
        }
        let arrival = state.withLock {
            $0.requestArrived(
                request, kind: request.kind, isAlone: request.isReservation, statements: request.statementCount,
                deadline: request.deadline,
                now: now)
        }
        follow(arrival, of: request, now: now)
    }

    /// Sends a request on a connection that is lent to the caller.
    func dispatch(_ request: Request, on lease: Lease, now: Instant) {
        state.withLock { $0.statementStartedAlone() }
        if request.hasTooManyParameters {
            request.finish(.failure(PostgresError.tooManyParameters))
        } else if !send(request, on: lease, now: now) {
            request.finish(.failure(PostgresError.connectionLost(outcomeUnknown: false)))
        }
    }

    private func follow(_ arrival: PoolState<Request>.Arrival, of request: Request, now: Instant) {
        switch arrival {
        case .waits: break
        case .overloaded: request.finish(.failure(PostgresError.overloaded))
        case .refused: request.finish(.failure(PostgresError.unavailable))
        case .send(let lease):
            if request.isReservation {
                request.lease = lease
                // A false result means that the caller has stopped waiting, so the connection is returned.
                if !request.finish(.results(first: nil, rest: [])) { release(lease) }
            } else if !send(request, on: lease, now: now) {
                let arrival = state.withLock {
                    defer { connectorWake.broadcast() }
                    return $0.requestWasNotSent(
                        request, kind: request.kind, deadline: request.deadline, on: lease, now: now)
                }
                follow(arrival, of: request, now: now)
            }
        }
    }

    /// Sends a request. False when the session had ended before anything was sent.
    private func send(_ request: Request, on lease: Lease, now: Instant) -> Bool {
        var lost: [Request]?
        if request.rule != .ordinary {
            let mayBeShared = request.rule == .mayBeShared
            request.commit = commits.withLock {
                $0.writeStarts(mayBeShared: mayBeShared, hasWaited: request.hasWaited, on: lease)
            }
        }
        let isSent = slots[lease.connection].withLock { connection in
            guard let session = connection, session.session == lease.session else { return false }
            guard !isOutdated(session) else {
                lost = close(&connection)
                return false
            }
            if session.send(request, now: now), let isBlocked = session.flush() {
                if isBlocked { epoll.change(session.socket, number: lease.connection, forWriting: true) }
            } else {
                lost = close(&connection)
            }
            return true
        }
        if let lost { connectionBroke(lease, lost, now: now) }
        if !isSent, request.commit != nil { commits.withLock { $0.writeWasNotSent() } }
        return isSent
    }

    /// Sends waiting requests on connections that have room.
    private func serveLine(now: Instant) {
        while let next = state.withLock({ $0.nextToSend(now: now) { $0.isDecided } }) {
            next.request.hasWaited = true
            follow(.send(next.lease), of: next.request, now: now)
        }
    }

    // MARK: Connections

    /// Takes back a lent connection. The connection is closed where a transaction is open or a statement in flight.
    func release(_ lease: Lease) {
        let now = Instant.now()
        var lost: [Request]?
        slots[lease.connection].withLock { connection in
            guard let session = connection, session.session == lease.session, !session.isIdle else { return }
            lost = close(&connection)
        }
        if let lost {
            connectionBroke(lease, lost, now: now)
        } else {
            state.withLock { $0.connectionReturned(lease) }
        }
        serveLine(now: now)
    }

    /// True where the session leads to a primary of an older timeline than the newest that was seen.
    private func isOutdated(_ session: PipelineConnection) -> Bool {
        configuration.connection.timeline?.isOutdated(session.generation) ?? false
    }

    /// Ends a session and returns its requests in flight. The caller holds the connection's lock. After its release the
    /// caller calls `connectionBroke`, unless the pool was terminated.
    private func close(_ connection: inout PipelineConnection?) -> [Request] {
        guard let session = connection else { return [] }
        epoll.remove(session.socket)
        connection = nil
        return session.abandon()
    }

    private func connectionBroke(_ lease: Lease, _ lost: [Request], now: Instant) {
        state.withLock {
            $0.connectionBroke(lease, now: now)
            connectorWake.broadcast()
        }
        let writes = lost.count { $0.commit != nil }
        let unknown = commits.withLock { $0.sessionEnded(lease, lost: writes) }
        for request in lost + unknown { request.finishWithoutAnswers() }
    }

    // MARK: Durable commits

    /// Removes the answers from `completed` that are held for a durable commit, and adds those that have become
    /// durable.
    /// - Returns: whether a durable commit is to be sent on the lease, in the place of one of the answered requests.
    private func settle(_ completed: inout [Request], on lease: Lease) -> Bool {
        var isCommitting = false
        var settled: [Request] = []
        var unknown: [Request] = []
        commits.withLock { commits in
            for request in completed {
                if request.isDurableCommit {
                    let committed = commits.committed(on: lease)
                    if committed.goesOn { isCommitting = true }
                    if request.error == nil { settled += committed.answers } else { unknown += committed.answers }
                } else if let start = request.commit {
                    let answer = commits.writeAnswered(request, start, isRefused: request.error != nil, on: lease)
                    switch answer {
                    case .release: settled.append(request)
                    case .hold: break
                    case .holdAndCommit: isCommitting = true
                    case .lost: unknown.append(request)
                    }
                } else {
                    settled.append(request)
                }
            }
        }
        for request in unknown { request.finishWithoutAnswers() }
        completed = settled
        return isCommitting
    }

    private func sendDurableCommit(on lease: Lease, now: Instant) {
        let commit = Request(
            settings: nil, first: DurableCommit().sql, rest: [], startedAt: now,
            deadline: now + configuration.deadline, isDurableCommit: true)
        guard !send(commit, on: lease, now: now) else { return }
        for request in commits.withLock({ $0.sessionEnded(lease) }) { request.finishWithoutAnswers() }
    }

    // MARK: The reader's thread

    private func readUntilTerminated() {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        var completed: [Request] = []
        var nextSweep = Instant.now()
        while !isTerminated.load(ordering: .relaxed) {
            let count = epoll.wait(&events, milliseconds: PoolDriver.tick)
            let now = Instant.now()
            for event in events.prefix(count) {
                receive(on: Int(event.data.u64), event.events, now, &completed)
            }
            if nextSweep < now {
                sweep(now)
                nextSweep = now + .milliseconds(Int(PoolDriver.tick))
            }
        }
    }

    private func receive(on index: Int, _ events: UInt32, _ now: Instant, _ completed: inout [Request]) {
        var lost: [Request]?
        let number: Int? = slots[index].withLock { connection in
            guard let session = connection else { return nil }
            var isAlive = session.receive(now: now, completed: &completed)
            if isAlive {
                // The read may have made room in the server's buffers, and may have queued a segment that is sent
                // again.
                let isBlocked = session.flush()
                isAlive = isBlocked != nil
                if let isBlocked, isBlocked != (events & EPOLLOUT.rawValue != 0) {
                    epoll.change(session.socket, number: index, forWriting: isBlocked)
                }
            }
            let number = session.session
            if !isAlive { lost = close(&connection) }
            return number
        }
        guard let number else { return }
        let lease = Lease(connection: index, session: number)
        if !completed.isEmpty { answered(&completed, on: lease, now: now) }
        if let lost { connectionBroke(lease, lost, now: now) }
    }

    /// Waiting requests are sent before the callers of the answered ones are resumed.
    private func answered(_ completed: inout [Request], on lease: Lease, now: Instant) {
        var shared = 0
        var errors = 0
        for request in completed {
            if !request.isExclusive { shared += 1 }
            if request.error != nil { errors += 1 }
        }
        if configuration.commitSharing != .off, settle(&completed, on: lease) {
            shared -= 1
            sendDurableCommit(on: lease, now: now)
        }
        var next = state.withLock {
            $0.answered(shared, errors: errors, on: lease, now: now)
            for request in completed { $0.noteDuration(now - request.startedAt) }
            return $0.nextToSend(now: now) { $0.isDecided }
        }
        while let (request, lease) = next {
            request.hasWaited = true
            follow(.send(lease), of: request, now: now)
            next = state.withLock { $0.nextToSend(now: now) { $0.isDecided } }
        }
        for request in completed { request.finishWithAnswers() }
        completed.removeAll(keepingCapacity: true)
    }

    private func sweep(_ now: Instant) {
        var late = 0
        for (index, slot) in slots.enumerated() {
            var lost: (lease: Lease, requests: [Request])?
            slot.withLock { connection in
                guard let session = connection else { return }
                late += session.failOverdue(now: now)
                if session.isSilent(now: now, configuration) || isOutdated(session) {
                    lost = (Lease(connection: index, session: session.session), close(&connection))
                }
            }
            if let lost { connectionBroke(lost.lease, lost.requests, now: now) }
        }
        for request in commits.withLock({ $0.held }) where request.deadline < now {
            if request.finish(.failure(PostgresError.timeout)) { late += 1 }
        }
        let overdue = state.withLock { $0.deadlinesPassed(now: now, inFlight: late) }
        for request in overdue.late { request.finish(.failure(PostgresError.timeout)) }
        for request in overdue.unserved { request.finish(.failure(PostgresError.unavailable)) }
    }

    // MARK: The connector's thread

    /// Opens one connection after another, so that a server that comes back is not flooded with attempts.
    private func connectUntilTerminated() {
        while let (lease, isRetry) = nextToConnect() { connect(lease, isRetry: isRetry) }
    }

    private func nextToConnect() -> (Lease, isRetry: Bool)? {
        state.withLock { state in
            while true {
                switch state.nextToConnect(now: .now()) {
                case .connect(let lease, let isRetry): return (lease, isRetry)
                case .wait(let instant?): connectorWake.wait(until: instant)
                case .wait(nil): connectorWake.wait()
                case .stop: return nil
                }
            }
        }
    }

    private func connect(_ lease: Lease, isRetry: Bool) {
        guard let opened = try? configuration.connection.connect(logLevel: isRetry ? .debug : .warning),
            let session = PipelineConnection(opened, number: lease.session, now: .now())
        else {
            var generator = SystemRandomNumberGenerator()
            state.withLock { $0.connectionFailed(lease, now: .now(), using: &generator) }
            return
        }
        let slot = slots[lease.connection]
        commits.withLock { $0.sessionBegan(lease, on: session.server.start) }
        slot.withLock { connection in
            connection = session
            epoll.add(session.socket, number: lease.connection)
        }
        if state.withLock({ $0.connectionOpened(lease) }) {
            serveLine(now: .now())
        } else {
            slot.withLock { connection in _ = close(&connection) }
            _ = commits.withLock { $0.sessionEnded(lease) }
        }
    }

    // MARK: The end

    /// Refuses new requests, waits for at most `limit` for the accepted ones, and closes the connections.
    func shutdown(limit: Duration) async {
        state.withLock { $0.drain() }
        let end = Instant.now() + limit
        while Instant.now() < end, state.withLock({ $0.isBusy }) {
            try? await Task.sleep(for: .milliseconds(5))
        }
        let waiting = state.withLock {
            defer { connectorWake.broadcast() }
            return $0.terminate()
        }
        isTerminated.store(true, ordering: .sequentiallyConsistent)
        for slot in slots {
            let lost = slot.withLock { close(&$0) }
            for request in lost { request.finishWithoutAnswers() }
        }
        for request in commits.withLock({ $0.held }) { request.finishWithoutAnswers() }
        for request in waiting { request.finish(.failure(PostgresError.unavailable)) }
    }
}

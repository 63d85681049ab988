import CLibpq
import Logging
import NIOCore
import NIOPosix

/// Carries out the actions of `PoolState`.
///
/// Each connection is confined to one event loop and has no lock. The connection with number n belongs to the event
/// loop with number n modulo their count. A request that starts on an event loop is sent on a connection of this loop,
/// as long as one of them has room. What the requests of one tick send leaves with one write a connection, and what one
/// read brings is answered before the next.
///
/// The pool's lock is held only for calls of `PoolState`, so that its bounds hold for all event loops together. A
/// thread opens the connections by libpq, which blocks; it retains the driver until `shutdown`.
final class PoolDriver: @unchecked Sendable {
    /// The interval at which deadlines are checked while requests are in flight or wait.
    private static let tick = TimeAmount.milliseconds(25)

    private let configuration: PoolConfiguration
    private let loops: [PoolLoop]
    private let state: Guarded<PoolState<Request>>
    /// Wakes the connector's thread when a connection has broken, or the pool has been terminated.
    private let connectorWake: Condition

    init(_ configuration: PoolConfiguration) {
        self.configuration = configuration
        let eventLoops = Array(configuration.eventLoops.makeIterator())
        let connections = max(1, configuration.connections)
        loops = eventLoops.map { PoolLoop($0, of: eventLoops.count, connections: connections) }
        let limits = PoolState<Request>.Limits(
            connections: connections, maxInFlight: configuration.maxInFlight,
            maxQueue: configuration.maxQueue, patience: configuration.patience, slowAfter: configuration.slowAfter,
            loops: loops.count)
        let lock = Lock()
        state = Guarded(PoolState(limits, now: .now()), by: lock)
        connectorWake = Condition(lock)
        startThread(named: "postgres-conn") { self.connectUntilTerminated() }
    }

    var statistics: PoolStatistics {
        state.withLock { state in
            var statistics = state.counts
            statistics.inFlight = state.inFlight
            return statistics
        }
    }

    // MARK: Sending

    func dispatch(_ request: Request, now: Instant) {
        guard !request.hasTooManyParameters else {
            request.finish(.failure(PostgresError.tooManyParameters))
            return
        }
        let home = loops.firstIndex { $0.isCurrent }
        request.home = home
        let arrival = state.withLock {
            $0.requestArrived(
                request, kind: request.kind, isAlone: request.isReservation, near: home,
                statements: request.statementCount, deadline: request.deadline, now: now)
        }
        follow(arrival, of: request, now: now)
    }

    /// Sends a request on a connection that is lent to the caller.
    func dispatch(_ request: Request, on lease: Lease, now: Instant) {
        state.withLock { $0.statementStartedAlone() }
        request.home = loops.firstIndex { $0.isCurrent }
        if request.hasTooManyParameters {
            request.finish(.failure(PostgresError.tooManyParameters))
        } else {
            send(request, on: lease, now: now)
        }
    }

    private func follow(_ arrival: PoolState<Request>.Arrival, of request: Request, now: Instant) {
        switch arrival {
        case .waits:
            let loop = loops[request.home ?? 0]
            loop.run { self.watchDeadlines(on: loop) }
        case .overloaded: request.finish(.failure(PostgresError.overloaded))
        case .refused: request.finish(.failure(PostgresError.unavailable))
        case .send(let lease):
            if request.isReservation {
                request.lease = lease
                // A false result means that the caller has stopped waiting, so the connection is returned.
                if !request.finish(.results(first: nil, rest: [])) { release(lease) }
            } else {
                send(request, on: lease, now: now)
            }
        }
    }

    private func send(_ request: Request, on lease: Lease, now: Instant) {
        let loop = loop(of: lease)
        if loop.isCurrent {
            send(request, on: lease, loop, now: now)
        } else {
            loop.eventLoop.execute { self.send(request, on: lease, loop, now: now) }
        }
    }

    private func send(_ request: Request, on lease: Lease, _ loop: PoolLoop, now: Instant) {
        if let channel = loop.channel(of: lease) {
            if channel.send(request, now: now) { loop.flushSoon(channel) }
            watchDeadlines(on: loop)
        } else {
            wasNotSent(request, on: lease, now: now)
        }
    }

    /// The lease's session had ended before anything of the request was written.
    private func wasNotSent(_ request: Request, on lease: Lease, now: Instant) {
        if request.isDecided { return }
        if request.isExclusive {
            request.finish(.failure(PostgresError.connectionLost(outcomeUnknown: false)))
        } else {
            let arrival = state.withLock {
                defer { connectorWake.broadcast() }
                return $0.requestWasNotSent(
                    request, kind: request.kind, near: request.home, deadline: request.deadline, on: lease, now: now)
            }
            follow(arrival, of: request, now: now)
        }
    }

    /// Sends waiting requests on connections that have room, those of the event loop `near` before others.
    private func serveLine(near: Int, now: Instant) {
        while let next = state.withLock({ $0.nextToSend(near: near, now: now) { $0.isDecided } }) {
            follow(.send(next.lease), of: next.request, now: now)
        }
    }

    // MARK: Connections

    private func number(of lease: Lease) -> Int { lease.connection % loops.count }

    private func loop(of lease: Lease) -> PoolLoop { loops[number(of: lease)] }

    /// Takes back a lent connection. It is closed where a transaction is open or a statement in flight.
    func release(_ lease: Lease) {
        let loop = loop(of: lease)
        loop.run {
            if let channel = loop.channel(of: lease), !channel.connection.isIdle {
                self.close(channel, now: .now())
            } else {
                self.state.withLock { $0.connectionReturned(lease) }
            }
            self.serveLine(near: self.number(of: lease), now: .now())
        }
    }

    private func close(_ channel: PooledChannel, now: Instant) {
        ended(channel, now: now)
        channel.close()
    }

    /// The session of the channel has ended, and its requests in flight are lost.
    func ended(_ channel: PooledChannel, now: Instant) {
        guard loop(of: channel.lease).remove(channel) else { return }
        let (lost, unsent) = channel.abandon()
        state.withLock {
            $0.connectionBroke(channel.lease, now: now)
            connectorWake.broadcast()
        }
        for request in lost { request.finishWithoutAnswers() }
        for request in unsent { wasNotSent(request, on: channel.lease, now: now) }
    }

    /// Waiting requests are sent before the callers of the answered ones are resumed.
    func answered(_ completed: [Request], on lease: Lease, now: Instant) {
        var shared = 0
        var errors = 0
        for request in completed {
            if !request.isExclusive { shared += 1 }
            if request.error != nil { errors += 1 }
        }
        let home = number(of: lease)
        var next = state.withLock {
            $0.answered(shared, errors: errors, on: lease, now: now)
            return $0.nextToSend(near: home, now: now) { $0.isDecided }
        }
        while let (request, lease) = next {
            follow(.send(lease), of: request, now: now)
            next = state.withLock { $0.nextToSend(near: home, now: now) { $0.isDecided } }
        }
        resume(completed, from: home)
    }

    /// Resumes the callers on this event loop, and those of each other event loop by one task.
    private func resume(_ completed: [Request], from home: Int) {
        var guests: [Int: [Request]] = [:]
        for request in completed {
            if let other = request.home, other != home {
                guests[other, default: []].append(request)
            } else {
                request.finishWithAnswers()
            }
        }
        for (other, requests) in guests {
            loops[other].eventLoop.execute { for request in requests { request.finishWithAnswers() } }
        }
    }

    // MARK: Deadlines

    /// Checks the deadlines from time to time until nothing is in flight on this event loop and nothing waits.
    private func watchDeadlines(on loop: PoolLoop) {
        guard !loop.isTimed else { return }
        loop.isTimed = true
        loop.eventLoop.scheduleTask(in: PoolDriver.tick) {
            loop.isTimed = false
            self.sweep(loop, now: .now())
        }
    }

    private func sweep(_ loop: PoolLoop, now: Instant) {
        var late = 0
        for channel in loop.all {
            late += channel.connection.failOverdue(now: now)
            if channel.connection.isSilent(now: now, configuration) { close(channel, now: now) }
        }
        let (overdue, isAwaited) = state.withLock {
            ($0.deadlinesPassed(now: now, inFlight: late), $0.counts.waiting > 0)
        }
        for request in overdue.late { request.finish(.failure(PostgresError.timeout)) }
        for request in overdue.unserved { request.finish(.failure(PostgresError.unavailable)) }
        if isAwaited || loop.hasInFlight { watchDeadlines(on: loop) }
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
        guard let libpq = try? configuration.connection.connect(logLevel: isRetry ? .debug : .warning) else {
            return connectionFailed(lease)
        }
        let session = LibpqSession(libpq)
        if session.isEncryptedByGSS {
            configuration.connection.logger.log(
                level: isRetry ? .debug : .warning, "cannot use a connection that GSSAPI encrypts")
            return connectionFailed(lease)
        }
        guard let socket = session.duplicateSocket() else { return connectionFailed(lease) }
        let loop = loop(of: lease)
        loop.eventLoop.execute { self.open(session, socket, lease, on: loop) }
    }

    private func open(_ session: LibpqSession, _ socket: Int32, _ lease: Lease, on loop: PoolLoop) {
        let channel = PooledChannel(session, lease: lease, driver: self, now: .now())
        let bound = NIOLoopBound((channel, TLSHandler(session)), eventLoop: loop.eventLoop)
        ClientBootstrap(group: loop.eventLoop)
            .channelInitializer { underlying in
                underlying.eventLoop.makeCompletedFuture {
                    let (channel, tls) = bound.value
                    if let tls { try underlying.pipeline.syncOperations.addHandler(tls) }
                    try underlying.pipeline.syncOperations.addHandler(channel)
                }
            }
            .withConnectedSocket(socket)
            .whenComplete { result in
                let (channel, _) = bound.value
                guard case .success = result else { return self.connectionFailed(lease) }
                loop.add(channel)
                guard self.state.withLock({ $0.connectionOpened(lease) }) else {
                    _ = loop.remove(channel)
                    return channel.close()
                }
                // The server may have gone before the channel was added.
                if channel.isInactive { self.ended(channel, now: .now()) }
                self.serveLine(near: self.number(of: lease), now: .now())
            }
    }

    private func connectionFailed(_ lease: Lease) {
        var generator = SystemRandomNumberGenerator()
        state.withLock {
            $0.connectionFailed(lease, now: .now(), using: &generator)
            connectorWake.broadcast()
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
        for loop in loops {
            try? await loop.eventLoop.submit { for channel in loop.all { self.close(channel, now: .now()) } }.get()
        }
        for request in waiting { request.finish(.failure(PostgresError.unavailable)) }
    }
}

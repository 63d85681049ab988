import CEpoll
import CLibpq
import Glibc
import Logging
import Synchronization

extension Pool {
    /// Deadlines are kept to within this many milliseconds.
    private static let tick: Int32 = 25

    /// The reader: one thread that receives on all connections, resumes callers and keeps the deadlines.
    func readUntilStopped() {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        var completed: [Request] = []
        var nextSweep = Instant.now()
        while !stopped.load(ordering: .relaxed) {
            let count = epoll_wait(epoll, &events, Int32(events.count), Pool.tick)
            let now = Instant.now()
            for event in events.prefix(Int(max(0, count))) {
                receive(on: connections[Int(event.data.u64)], event.events, now, &completed)
            }
            if nextSweep < now {
                sweep(now)
                nextSweep = now + .milliseconds(Int(Pool.tick))
            }
        }
    }

    private func receive(
        on connection: PipelineConnection, _ events: UInt32, _ now: Instant, _ completed: inout [Request]
    ) {
        var lost: [Request]?
        connection.lock.withLock {
            var isAlive = connection.receive(now: now, completed: &completed)
            if isAlive, connection.isUp {
                // What was read may let the server read again, and a segment may have been sent once more.
                let isBlocked = connection.flush()
                isAlive = isBlocked != nil
                if let isBlocked, isBlocked != (events & EPOLLOUT.rawValue != 0) {
                    watch(connection, forWriting: isBlocked)
                }
            }
            if !isAlive { lost = takeDown(connection) }
        }
        if !completed.isEmpty {
            let shared = completed.count { !$0.isExclusive }
            connection.load.subtract(shared, ordering: .sequentiallyConsistent)
            if waiting.load(ordering: .sequentiallyConsistent) > 0 { drain() }
            for request in completed { finish(request) }
            completed.removeAll(keepingCapacity: true)
        }
        if let lost { fail(lost, of: connection) }
    }

    private func finish(_ request: Request) {
        if let error = request.error {
            counters.errors.add(1, ordering: .relaxed)
            request.finish(.failure(PostgresError.server(error)))
        } else {
            request.finish(.results(first: request.firstResult, rest: request.results))
        }
    }

    private func sweep(_ now: Instant) {
        for connection in connections {
            var lost: [Request]?
            var expired = 0
            connection.lock.withLock {
                expired = connection.expire(now: now)
                if connection.isSilent(now: now, configuration) { lost = takeDown(connection) }
            }
            counters.timeouts.add(expired, ordering: .relaxed)
            if let lost { fail(lost, of: connection) }
        }
        if waiting.load(ordering: .relaxed) > 0 {
            failQueue(.timeout) { $0.deadline < now }
            if up.load(ordering: .relaxed) == 0, hasBeenDown(at: now) { failQueue(.unavailable) { _ in true } }
        }
    }

    /// The connector: one thread that connects what is down, one after another, with back-off and jitter.
    func connectUntilStopped() {
        var failures = 0
        while let connection = nextDown() {
            if connect(connection, logLevel: failures == 0 ? .warning : .debug) {
                failures = 0
            } else {
                let limit = min(1000, 25 << min(failures, 6))
                failures += 1
                let end = Instant.now() + .milliseconds(Int.random(in: limit / 2...limit))
                connectorLock.withLock {
                    while Instant.now() < end, !stopped.load(ordering: .relaxed) { connectorWake.wait(until: end) }
                }
            }
        }
    }

    /// Waits for a connection that is down; nil when the pool is stopped.
    private func nextDown() -> PipelineConnection? {
        connectorLock.withLock {
            while !stopped.load(ordering: .relaxed) {
                if let down = connections.first(where: {
                    $0.load.load(ordering: .sequentiallyConsistent) >= PipelineConnection.down
                }) {
                    return down
                }
                connectorWake.wait()
            }
            return nil
        }
    }

    private func connect(_ connection: PipelineConnection, logLevel: Logger.Level) -> Bool {
        guard let libpq = try? configuration.connection.connect(logLevel: logLevel) else { return false }
        let isAdopted = connection.lock.withLock {
            guard !stopped.load(ordering: .sequentiallyConsistent), connection.adopt(libpq) else { return false }
            var event = epoll_event(
                events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(connection.index)))
            epoll_ctl(epoll, EPOLL_CTL_ADD, connection.socket, &event)
            up.add(1, ordering: .sequentiallyConsistent)
            connection.load.subtract(PipelineConnection.down, ordering: .sequentiallyConsistent)
            return true
        }
        guard isAdopted else {
            PQfinish(libpq)
            return false
        }
        drain()
        return true
    }
}

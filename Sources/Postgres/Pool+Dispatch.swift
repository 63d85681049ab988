import CEpoll
import Glibc
import Synchronization

extension Pool {
    func dispatch(_ request: Request) {
        if draining.load(ordering: .relaxed) {
            request.finish(.failure(PostgresError.unavailable))
        } else if request.hasTooManyParameters {
            request.finish(.failure(PostgresError.tooManyParameters))
        } else if waiting.load(ordering: .sequentiallyConsistent) == 0, let connection = reserve(for: request) {
            hand(request, to: connection)
        } else {
            enqueue(request)
        }
    }

    /// The connection with the least in flight, counted as one more; nil when all have their fill.
    private func reserve(for request: Request) -> PipelineConnection? {
        for _ in connections.indices {
            var best = connections[0]
            var least = best.load.load(ordering: .sequentiallyConsistent)
            for connection in connections.dropFirst() where least > 0 {
                let load = connection.load.load(ordering: .sequentiallyConsistent)
                if load < least { (best, least) = (connection, load) }
            }
            guard least < configuration.maxInFlight else { return nil }
            if request.isReservation {
                guard least == 0 else { return nil }
                let mark = PipelineConnection.heldAlone
                if best.load.compareExchange(expected: 0, desired: mark, ordering: .sequentiallyConsistent).exchanged {
                    return best
                }
            } else if best.load.add(1, ordering: .sequentiallyConsistent).oldValue < configuration.maxInFlight {
                return best
            } else {
                best.load.subtract(1, ordering: .sequentiallyConsistent)
            }
        }
        return nil
    }

    private func hand(_ request: Request, to connection: PipelineConnection) {
        if request.isReservation {
            request.reserved = connection
            if !request.finish(.results(first: nil, rest: [])) { release(connection) }
        } else if !transmit(request, on: connection) {
            connection.load.subtract(1, ordering: .sequentiallyConsistent)
            enqueue(request)
        }
    }

    /// False when the connection went down before anything was sent.
    func transmit(_ request: Request, on connection: PipelineConnection, generation: Int? = nil) -> Bool {
        connection.lock.lock()
        guard connection.isUp, generation == nil || generation == connection.generation else {
            connection.lock.unlock()
            return false
        }
        if connection.send(request), let isBlocked = connection.flush() {
            if isBlocked { watch(connection, forWriting: true) }
            connection.lock.unlock()
        } else {
            let lost = takeDown(connection)
            connection.lock.unlock()
            fail(lost, of: connection)
        }
        return true
    }

    func enqueue(_ request: Request) {
        let now = Instant.now()
        if up.load(ordering: .relaxed) == 0, hasBeenDown(at: now) {
            request.finish(.failure(PostgresError.unavailable))
            return
        }
        let isAccepted = queueLock.withLock {
            guard !draining.load(ordering: .relaxed), queue.count < configuration.maxQueue else { return false }
            queue.append(request)
            waiting.store(queue.count, ordering: .sequentiallyConsistent)
            return true
        }
        if isAccepted { drain() } else { request.finish(.failure(PostgresError.unavailable)) }
    }

    /// Gives the waiting requests, in order, to connections that have room.
    func drain() {
        while let (request, connection) = nextInQueue() { hand(request, to: connection) }
    }

    private func nextInQueue() -> (Request, PipelineConnection)? {
        queueLock.withLock {
            defer { waiting.store(queue.count, ordering: .sequentiallyConsistent) }
            while let request = queue.first {
                if request.isDecided {
                    _ = queue.popFirst()
                } else if let connection = reserve(for: request) {
                    _ = queue.popFirst()
                    request.sentAt = Instant.now()
                    return (request, connection)
                } else {
                    return nil
                }
            }
            return nil
        }
    }

    func failQueue(_ error: PostgresError, where shouldFail: (Request) -> Bool) {
        let failed = queueLock.withLock {
            defer { waiting.store(queue.count, ordering: .sequentiallyConsistent) }
            return queue.removeAll(where: shouldFail)
        }
        for request in failed { request.finish(.failure(error)) }
        if case .timeout = error { counters.timeouts.add(failed.count, ordering: .relaxed) }
    }

    func hasBeenDown(at now: Instant) -> Bool {
        Instant(nanoseconds: downSince.load(ordering: .relaxed)) + configuration.patience < now
    }

    // MARK: Connections that come and go

    func watch(_ connection: PipelineConnection, forWriting: Bool) {
        var event = epoll_event(
            events: EPOLLIN.rawValue | (forWriting ? EPOLLOUT.rawValue : 0),
            data: epoll_data_t(u64: UInt64(connection.index)))
        epoll_ctl(epoll, EPOLL_CTL_MOD, connection.socket, &event)
    }

    /// Ends a connection's session; the caller holds its lock, and then calls `fail`.
    func takeDown(_ connection: PipelineConnection) -> [Request] {
        guard connection.isUp else { return [] }
        epoll_ctl(epoll, EPOLL_CTL_DEL, connection.socket, nil)
        connection.load.add(PipelineConnection.down, ordering: .sequentiallyConsistent)
        if up.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 {
            downSince.store(Instant.now().nanoseconds, ordering: .relaxed)
        }
        counters.connectionsLost.add(1, ordering: .relaxed)
        return connection.close()
    }

    /// The caller does not hold the lock.
    func fail(_ lost: [Request], of connection: PipelineConnection) {
        let shared = lost.count { !$0.isExclusive }
        connection.load.subtract(shared, ordering: .sequentiallyConsistent)
        for request in lost {
            request.finish(.failure(PostgresError.connectionLost(outcomeUnknown: request.error == nil)))
        }
        connectorLock.withLock { connectorWake.broadcast() }
    }

    func close(_ connection: PipelineConnection) {
        let lost = connection.lock.withLock { takeDown(connection) }
        fail(lost, of: connection)
    }

    /// Takes back a connection that somebody held alone; closes it when a transaction is still open.
    func release(_ connection: PipelineConnection) {
        let lost = connection.lock.withLock { connection.isIdle ? [] : takeDown(connection) }
        fail(lost, of: connection)
        connection.load.subtract(PipelineConnection.heldAlone, ordering: .sequentiallyConsistent)
        if waiting.load(ordering: .sequentiallyConsistent) > 0 { drain() }
    }
}

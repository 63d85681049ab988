/// The state machine of a pool. It decides which connection takes a request, which requests wait and for how long, and
/// when a connection that is down is opened again.
///
/// It has no lock, thread, clock or libpq: events come in as calls, with the time where it matters, and actions are
/// returned. The owner serialises the calls: `PoolDriver` does so with a lock; an owner on one event loop would need
/// none.
struct PoolState<Request> {
    struct Limits {
        /// The number of connections, at least 1.
        var connections: Int
        /// The greatest number of segments in flight on each connection.
        var maxInFlight: Int
        /// The greatest number of requests that wait in `line`, and also of those that wait in `slowLine`.
        var maxQueue: Int
        /// How long requests may still wait after the last connection has broken.
        var patience: Duration
        /// How long a statement may run before nothing more is sent behind it; nil: statements are not timed.
        var slowAfter: Duration?
    }

    enum Arrival: Equatable {
        case send(Lease)
        case waits
        /// Too many requests wait.
        case overloaded
        /// No connection has been up for longer than `patience`, or the pool is draining.
        case refused
    }

    enum Connecting: Equatable {
        /// `isRetry`: the attempt before this one failed.
        case connect(Lease, isRetry: Bool)
        /// No connection is to be opened before this time; nil: before a connection breaks.
        case wait(until: Instant?)
        case stop
    }

    struct Overdue {
        /// Requests whose deadline has passed.
        var late: [Request] = []
        /// Requests that fail because no connection has been up for longer than `patience`.
        var unserved: [Request] = []
    }

    private struct Connection {
        enum Status { case down, connecting, up, lentAlone }
        var status = Status.down
        var session = 0
        /// The number of segments in flight or about to be sent.
        var leases = 0
        /// Empty where statements are not timed.
        var load = ConnectionLoad()
    }

    private struct Waiting {
        let request: Request
        let kind: Int
        let isAlone: Bool
        let deadline: Instant
    }

    /// The greatest number of slow segments on one connection: one that runs, and one that follows it.
    private static var maxSlow: Int { 2 }

    private let limits: Limits
    private var connections: [Connection]
    private var line = Ring<Waiting>()
    /// Requests whose kind is slow. They wait apart, so that requests of other kinds do not wait behind them.
    private var slowLine = Ring<Waiting>()
    private var pace: StatementPace?
    private var backOff = BackOff()
    /// The time before which no connection is opened.
    private var nextTry: Instant
    private var downSince: Instant
    private var isDraining = false
    private var isTerminated = false
    private(set) var counts = PoolStatistics()

    init(_ limits: Limits, now: Instant) {
        self.limits = limits
        connections = Array(repeating: Connection(), count: max(1, limits.connections))
        pace = limits.slowAfter.map { StatementPace(limit: $0) }
        nextTry = now
        downSince = now
    }

    // MARK: Requests

    /// - Parameters:
    ///   - kind: the same for statements that take about the same time and locks.
    ///   - isAlone: whether the request asks for a connection that no other request uses until it is returned.
    mutating func requestArrived(
        _ request: Request, kind: Int = 0, isAlone: Bool = false, statements: Int = 1, deadline: Instant, now: Instant
    ) -> Arrival {
        counts.statements += statements
        guard !isDraining else { return .refused }
        timeStatements(now: now)
        let isSlow = pace?.isSlow(kind) ?? false
        if isSlow ? !waitsSlow(kind) : line.isEmpty, let lease = lease(kind, isAlone: isAlone, now: now) {
            return .send(lease)
        }
        guard !isOut(at: now) else { return .refused }
        guard (isSlow ? slowLine : line).count < limits.maxQueue else {
            counts.refused += 1
            return .overloaded
        }
        let waiting = Waiting(request: request, kind: kind, isAlone: isAlone, deadline: deadline)
        if isSlow { slowLine.append(waiting) } else { line.append(waiting) }
        countWaiting()
        return .waits
    }

    /// The lease's session had ended before the request was sent. If the request must wait again, it waits before all
    /// others.
    mutating func requestWasNotSent(
        _ request: Request, kind: Int = 0, isAlone: Bool = false, deadline: Instant, on lease: Lease, now: Instant
    ) -> Arrival {
        connectionBroke(lease, now: now)
        timeStatements(now: now)
        if let lease = self.lease(kind, isAlone: isAlone, now: now) { return .send(lease) }
        guard !isTerminated, !isOut(at: now) else { return .refused }
        line.prepend(Waiting(request: request, kind: kind, isAlone: isAlone, deadline: deadline))
        countWaiting()
        return .waits
    }

    /// Takes the first waiting request that a connection has room for. Requests of slow kinds come after all others;
    /// but when no slow segment is in flight, they come first, so that they are served under any load. Requests that
    /// are `decided` already, such as cancelled ones, are dropped.
    mutating func nextToSend(
        now: Instant, unless decided: (Request) -> Bool = { _ in false }
    ) -> (request: Request, lease: Lease)? {
        if counts.waiting == 0 { return nil }
        defer { countWaiting() }
        timeStatements(now: now)
        if !slowLine.isEmpty, !connections.contains(where: { $0.load.slowCount(pace!) > 0 }),
            let next = nextSlowToSend(now: now, unless: decided)
        {
            return next
        }
        while let first = line.first {
            if decided(first.request) {
                _ = line.popFirst()
            } else if let lease = lease(first.kind, isAlone: first.isAlone, now: now) {
                _ = line.popFirst()
                return (first.request, lease)
            } else if pace?.isSlow(first.kind) ?? false {
                // The request's kind has become slow since the request arrived.
                _ = line.popFirst()
                slowLine.append(first)
            } else {
                break
            }
        }
        return slowLine.isEmpty ? nil : nextSlowToSend(now: now, unless: decided)
    }

    private mutating func nextSlowToSend(
        now: Instant, unless decided: (Request) -> Bool
    ) -> (request: Request, lease: Lease)? {
        guard connections.contains(where: { $0.status == .up && takesSlow($0, now: now) }) else { return nil }
        var chosen: (request: Request, lease: Lease)?
        // Slow kinds do not wait for each other: the first request of each kind is tried.
        var refused: Set<Int> = []
        var waiting = Ring<Waiting>()
        swap(&waiting, &slowLine)
        _ = waiting.removeAll { first in
            if chosen != nil { return false }
            if decided(first.request) { return true }
            if refused.contains(first.kind) { return false }
            guard let lease = lease(first.kind, isAlone: first.isAlone, now: now) else {
                refused.insert(first.kind)
                return false
            }
            chosen = (first.request, lease)
            return true
        }
        swap(&waiting, &slowLine)
        return chosen
    }

    /// The server has answered this number of segments, `errors` of them with an error.
    mutating func answered(_ segments: Int, errors: Int = 0, on lease: Lease, now: Instant) {
        counts.errors += errors
        guard isCurrent(lease), connections[lease.connection].status != .down else { return }
        connections[lease.connection].leases -= segments
        if pace != nil { connections[lease.connection].load.answered(segments, now: now, &pace!) }
    }

    /// A lent connection is returned, without an open transaction and with nothing in flight.
    mutating func connectionReturned(_ lease: Lease) {
        guard isCurrent(lease), connections[lease.connection].status == .lentAlone else { return }
        connections[lease.connection].status = .up
    }

    /// - Parameter duration: of an answered segment, from its start, the wait for a connection included.
    mutating func noteDuration(_ duration: Duration) { counts.durations.note(duration) }

    mutating func statementStartedAlone() { counts.statements += 1 }

    // MARK: Connections

    mutating func nextToConnect(now: Instant) -> Connecting {
        if isTerminated { return .stop }
        guard let index = connections.firstIndex(where: { $0.status == .down }) else { return .wait(until: nil) }
        if now < nextTry { return .wait(until: nextTry) }
        connections[index].status = .connecting
        connections[index].session += 1
        return .connect(
            Lease(connection: index, session: connections[index].session), isRetry: backOff.failures > 0)
    }

    /// A connection was opened. False where its session has broken meanwhile or the pool has been terminated.
    mutating func connectionOpened(_ lease: Lease) -> Bool {
        guard isCurrent(lease), connections[lease.connection].status == .connecting else { return false }
        connections[lease.connection].status = .up
        counts.connectionsUp += 1
        backOff.succeeded()
        return true
    }

    /// A connection could not be opened: the server was not reached, refused it, or is not the primary.
    mutating func connectionFailed(_ lease: Lease, now: Instant, using generator: inout some RandomNumberGenerator) {
        guard isCurrent(lease), connections[lease.connection].status == .connecting else { return }
        connections[lease.connection].status = .down
        nextTry = now + backOff.failed(using: &generator)
    }

    /// The lease's session has ended, and its requests in flight are lost.
    mutating func connectionBroke(_ lease: Lease, now: Instant) {
        guard isCurrent(lease), connections[lease.connection].status != .down else { return }
        if connections[lease.connection].status != .connecting {
            counts.connectionsUp -= 1
            if counts.connectionsUp == 0 { downSince = now }
        }
        counts.connectionsLost += 1
        connections[lease.connection].status = .down
        connections[lease.connection].leases = 0
        connections[lease.connection].load.removeAll()
    }

    // MARK: Time and the end

    /// Removes the requests that have waited for too long.
    /// - Parameter late: the number of requests in flight that the owner has failed at their deadlines, to be counted
    ///   as timeouts.
    mutating func deadlinesPassed(now: Instant, inFlight late: Int = 0) -> Overdue {
        counts.timeouts += late
        guard counts.waiting > 0 else { return Overdue() }
        var overdue = Overdue()
        overdue.late = (line.removeAll { $0.deadline < now } + slowLine.removeAll { $0.deadline < now }).map(\.request)
        if isOut(at: now) { overdue.unserved = (line.removeAll() + slowLine.removeAll()).map(\.request) }
        counts.timeouts += overdue.late.count
        countWaiting()
        return overdue
    }

    /// Refuses new requests from now on; waiting requests are still served.
    mutating func drain() { isDraining = true }

    var isBusy: Bool { counts.waiting > 0 || connections.contains { $0.leases > 0 || $0.status == .lentAlone } }

    /// Ends all sessions and returns the waiting requests.
    mutating func terminate() -> [Request] {
        isDraining = true
        isTerminated = true
        for index in connections.indices {
            connections[index].status = .down
            connections[index].leases = 0
            connections[index].load.removeAll()
        }
        counts.connectionsUp = 0
        counts.waiting = 0
        return (line.removeAll() + slowLine.removeAll()).map(\.request)
    }

    private func waitsSlow(_ kind: Int) -> Bool {
        var isFound = false
        slowLine.forEach { if $0.kind == kind { isFound = true } }
        return isFound
    }

    private mutating func countWaiting() { counts.waiting = line.count + slowLine.count }

    // MARK: Choice of a connection

    /// Makes the kinds slow whose statements have run for longer than `slowAfter`.
    private mutating func timeStatements(now: Instant) {
        guard pace != nil else { return }
        for index in connections.indices { connections[index].load.time(now: now, &pace!) }
    }

    /// Leases a connection to a segment of this kind; nil where the segment has to wait. docs/decisions/0028 has the
    /// reasons.
    ///
    /// - Nothing is sent behind a statement that has run for longer than `slowAfter`.
    /// - Slow kinds get all connections but the last, with at most two slow segments on each.
    /// - Other kinds are not sent behind slow ones. They get the last connection when no other has room for them.
    /// - While only the last connection is up, every kind may get it.
    /// - A slow kind that is not stuck and holds up no connection gets the last connection, too, when that is idle.
    private mutating func lease(_ kind: Int, isAlone: Bool, now: Instant) -> Lease? {
        guard pace != nil, !isAlone, connections.count > 1 else { return leaseLeastLoaded(isAlone: isAlone) }
        let last = connections.count - 1
        let hasOthers = connections[..<last].contains { $0.status == .up }
        let isSlow = pace!.isSlow(kind)
        var best = -1
        var least = limits.maxInFlight
        for index in connections.indices where connections[index].status == .up {
            if index == last, hasOthers, isSlow || best >= 0 { break }
            guard connections[index].leases < least, takesSlow(connections[index], now: now),
                isSlow || connections[index].load.slowCount(pace!) == 0
            else { continue }
            best = index
            least = connections[index].leases
            if least == 0 { break }
        }
        // A kind may be slow only because the machine is. It should not wait for a lock that holds up another kind.
        if best < 0, isSlow, !pace!.isStuck(kind), connections[last].status == .up, connections[last].leases == 0,
            !connections.contains(where: { $0.load.isHeldUp(by: kind, now: now, pace!) })
        {
            best = last
        }
        guard best >= 0 else { return nil }
        connections[best].leases += 1
        connections[best].load.sent(kind, now: now)
        return Lease(connection: best, session: connections[best].session)
    }

    /// True where a segment of a slow kind may be sent on the connection.
    private func takesSlow(_ connection: Connection, now: Instant) -> Bool {
        connection.leases < limits.maxInFlight && !connection.load.isHeldUp(now: now, pace!)
            && connection.load.slowCount(pace!) < Self.maxSlow
    }

    /// Leases the connection with the fewest segments among those that are up, the first of several with equally few;
    /// nil where all are full.
    private mutating func leaseLeastLoaded(isAlone: Bool) -> Lease? {
        var best = -1
        var least = isAlone ? 1 : limits.maxInFlight
        for index in connections.indices where connections[index].status == .up && connections[index].leases < least {
            best = index
            least = connections[index].leases
            if least == 0 { break }
        }
        guard best >= 0 else { return nil }
        if isAlone { connections[best].status = .lentAlone } else { connections[best].leases += 1 }
        return Lease(connection: best, session: connections[best].session)
    }

    private func isCurrent(_ lease: Lease) -> Bool { connections[lease.connection].session == lease.session }

    /// True where no connection is up, and none has been up for longer than `patience`.
    private func isOut(at now: Instant) -> Bool { counts.connectionsUp == 0 && downSince + limits.patience < now }
}

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
        /// The greatest number of requests that wait in `line`.
        var maxQueue: Int
        /// How long requests may still wait after the last connection has broken.
        var patience: Duration
        /// How long a statement may run before nothing more is sent behind it; nil where nothing is sent behind any.
        var slowAfter: Duration?
        /// The number of event loops. Connection n belongs to the event loop n modulo this.
        var loops = 1
        /// A request is sent from its event loop to another's connection only if that has so many segments fewer in
        /// flight.
        var detour = 8
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
        /// No connection is to be opened before this time or, where it is nil, before a connection breaks.
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
        /// Empty where the pool has no `slowAfter`.
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
    /// Requests whose kind is slow. They wait apart, so that no other waits behind them.
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
    ///   - loop: the event loop on which the request was started; nil for another thread.
    mutating func requestArrived(
        _ request: Request, kind: Int = 0, isAlone: Bool = false, near loop: Int? = nil, statements: Int = 1,
        deadline: Instant, now: Instant
    ) -> Arrival {
        counts.statements += statements
        guard !isDraining else { return .refused }
        timeStatements(now: now)
        let isSlow = pace?.isSlow(kind) ?? false
        if isSlow ? slowLine.isEmpty : line.isEmpty, let lease = lease(kind, isAlone: isAlone, near: loop, now: now) {
            return .send(lease)
        }
        guard !isOut(at: now) else { return .refused }
        guard counts.waiting < limits.maxQueue else { return .overloaded }
        let waiting = Waiting(request: request, kind: kind, isAlone: isAlone, deadline: deadline)
        if isSlow { slowLine.append(waiting) } else { line.append(waiting) }
        countWaiting()
        return .waits
    }

    /// The lease's session had ended before the request was sent. If the request must wait again, it waits before all
    /// others.
    mutating func requestWasNotSent(
        _ request: Request, kind: Int = 0, isAlone: Bool = false, near loop: Int? = nil, deadline: Instant,
        on lease: Lease, now: Instant
    ) -> Arrival {
        connectionBroke(lease, now: now)
        timeStatements(now: now)
        if let lease = self.lease(kind, isAlone: isAlone, near: loop, now: now) { return .send(lease) }
        guard !isTerminated, !isOut(at: now) else { return .refused }
        line.prepend(Waiting(request: request, kind: kind, isAlone: isAlone, deadline: deadline))
        countWaiting()
        return .waits
    }

    /// Takes the first waiting request that a connection has room for, slow kinds last. Requests that are `decided`
    /// already, such as cancelled ones, are dropped.
    /// - Parameter loop: the event loop whose connections are taken before others.
    mutating func nextToSend(
        near loop: Int? = nil, now: Instant, unless decided: (Request) -> Bool = { _ in false }
    ) -> (request: Request, lease: Lease)? {
        if counts.waiting == 0 { return nil }
        defer { countWaiting() }
        timeStatements(now: now)
        while let first = line.first {
            if decided(first.request) {
                _ = line.popFirst()
            } else if let lease = lease(first.kind, isAlone: first.isAlone, near: loop, now: now) {
                _ = line.popFirst()
                return (first.request, lease)
            } else if pace?.isSlow(first.kind) ?? false {
                // Its kind has become slow since it arrived.
                _ = line.popFirst()
                slowLine.append(first)
            } else {
                break
            }
        }
        while let first = slowLine.first {
            if decided(first.request) {
                _ = slowLine.popFirst()
            } else if let lease = lease(first.kind, isAlone: first.isAlone, near: loop, now: now) {
                _ = slowLine.popFirst()
                return (first.request, lease)
            } else {
                break
            }
        }
        return nil
    }

    /// The server has answered this number of segments, `errors` of them with an error.
    mutating func answered(_ segments: Int, errors: Int = 0, on lease: Lease, now: Instant) {
        counts.errors += errors
        guard isCurrent(lease) else { return }
        connections[lease.connection].leases -= segments
        if pace != nil { connections[lease.connection].load.answered(segments, now: now, &pace!) }
    }

    /// A lent connection is returned, without an open transaction and with nothing in flight.
    mutating func connectionReturned(_ lease: Lease) {
        guard isCurrent(lease), connections[lease.connection].status == .lentAlone else { return }
        connections[lease.connection].status = .up
    }

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

    /// The number of segments in flight or about to be sent, and of connections that are lent.
    var inFlight: Int { connections.reduce(0) { $0 + $1.leases + ($1.status == .lentAlone ? 1 : 0) } }

    var isBusy: Bool { counts.waiting > 0 || inFlight > 0 }

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

    private mutating func countWaiting() { counts.waiting = line.count + slowLine.count }

    // MARK: Choice of a connection

    /// Kinds whose statements have run for too long are slow from now on.
    private mutating func timeStatements(now: Instant) {
        guard pace != nil else { return }
        for index in connections.indices { connections[index].load.time(now: now, &pace!) }
    }

    /// Leases the connection with the fewest segments among those that have room for a segment of this kind; nil where it
    /// has to wait. Connections of other event loops count as if they had `detour` segments more.
    ///
    /// Where statements are timed, nothing is sent behind one that has run for longer than `slowAfter`. A slow kind has the
    /// connections but the last one, two segments on each; other kinds are not sent behind it, and have the last connection
    /// when all others are held up, slow or full.
    private mutating func lease(_ kind: Int, isAlone: Bool, near loop: Int?, now: Instant) -> Lease? {
        let last = connections.count - 1
        let isTimed = pace != nil && !isAlone && last > 0
        let isSlow = isTimed && pace!.isSlow(kind)
        let keepsLast = isTimed && connections[..<last].contains { $0.status == .up }
        let room = isAlone ? 1 : isSlow ? min(Self.maxSlow, limits.maxInFlight) : limits.maxInFlight
        var best = -1
        var least = Int.max
        for index in connections.indices where connections[index].status == .up && connections[index].leases < room {
            if index == last, keepsLast, isSlow || best >= 0 { break }
            let isNear = loop.map { index % limits.loops == $0 } ?? true
            let load = connections[index].leases + (isNear ? 0 : limits.detour)
            guard load < least, !isTimed || takes(index, isSlow: isSlow, now: now) else { continue }
            best = index
            least = load
            if least == 0 { break }
        }
        guard best >= 0 else { return nil }
        if isAlone { connections[best].status = .lentAlone } else { connections[best].leases += 1 }
        if isTimed { connections[best].load.sent(kind, now: now) }
        return Lease(connection: best, session: connections[best].session)
    }

    private func takes(_ index: Int, isSlow: Bool, now: Instant) -> Bool {
        let load = connections[index].load
        return !load.isHeldUp(now: now, pace!) && (isSlow || !load.hasSlow(pace!))
    }

    private func isCurrent(_ lease: Lease) -> Bool { connections[lease.connection].session == lease.session }

    /// Whether no connection has been up for longer than `patience`.
    private func isOut(at now: Instant) -> Bool { counts.connectionsUp == 0 && downSince + limits.patience < now }
}

import NIOCore

/// The state machine of admission. It decides which operations run, which wait, and which are refused.
///
/// A request is judged once, when its operation is known. Whatever an admitted operation does later, at all its levels,
/// is not judged again. There is no lock, thread or clock: events come in as calls with the time, decisions are
/// returned.
struct AdmissionState<Request> {
    enum Arrival: Equatable {
        case admitted, waits, refused
    }

    enum Decision {
        case admit(Request)
        /// The request has waited too long.
        case shed(Request)
    }

    private let limits: AdmissionLimits
    /// By `RequestClass.rawValue`.
    private var queues: [AdmissionQueue<Request>]
    /// The operations that run, by `RequestClass.Kind.rawValue`.
    private var running: [Int]
    private var runningInAll = 0
    private var waitingInAll = 0

    init(_ limits: AdmissionLimits) {
        self.limits = limits
        queues = RequestClass.allCases.map { AdmissionQueue(limits[$0.kind], interval: limits.interval) }
        running = RequestClass.Kind.allCases.map { _ in 0 }
    }

    mutating func arrived(_ request: @autoclosure () -> Request, in requestClass: RequestClass, at now: NIODeadline)
        -> Arrival
    {
        if hasPlace(for: requestClass.kind), !isAnyoneAhead(of: requestClass) {
            start(requestClass.kind)
            return .admitted
        }
        guard queues[requestClass.rawValue].hasRoom(at: now) else { return .refused }
        queues[requestClass.rawValue].append(request(), at: now)
        waitingInAll += 1
        return .waits
    }

    /// True where a request of the class would be refused if it arrived now.
    mutating func wouldRefuse(_ requestClass: RequestClass, at now: NIODeadline) -> Bool {
        if hasPlace(for: requestClass.kind), !isAnyoneAhead(of: requestClass) { return false }
        return !queues[requestClass.rawValue].hasRoom(at: now)
    }

    /// An admitted operation has ended.
    mutating func ended(_ kind: RequestClass.Kind) {
        running[kind.rawValue] -= 1
        runningInAll -= 1
    }

    /// The next decision about a waiting request; nil where all of them go on waiting. Requests that have waited too
    /// long come first, then the classes in their order.
    mutating func next(at now: NIODeadline) -> Decision? {
        if waitingInAll == 0 { return nil }
        for index in queues.indices {
            if let request = queues[index].shedFirst(at: now, longest: limits.longestWait) {
                waitingInAll -= 1
                return .shed(request)
            }
        }
        for requestClass in RequestClass.allCases where !queues[requestClass.rawValue].isEmpty {
            guard hasPlace(for: requestClass.kind),
                let request = queues[requestClass.rawValue].admitFirst(at: now)
            else { continue }
            waitingInAll -= 1
            start(requestClass.kind)
            return .admit(request)
        }
        return nil
    }

    /// When the first waiting request will have waited too long; nil where no request waits.
    var nextDeadline: NIODeadline? { queues.compactMap(\.oldest).min().map { $0 + limits.longestWait } }

    /// Removes a waiting request that was given up.
    /// - Returns: false where no such request waits.
    mutating func remove(from requestClass: RequestClass, where isRemoved: (Request) -> Bool) -> Bool {
        guard queues[requestClass.rawValue].remove(where: isRemoved) else { return false }
        waitingInAll -= 1
        return true
    }

    func running(_ kind: RequestClass.Kind) -> Int { running[kind.rawValue] }

    func waiting(_ kind: RequestClass.Kind) -> Int {
        RequestClass.allCases.reduce(0) { $0 + ($1.kind == kind ? queues[$1.rawValue].count : 0) }
    }

    func isOverloaded(_ kind: RequestClass.Kind) -> Bool {
        RequestClass.allCases.contains { $0.kind == kind && queues[$0.rawValue].isOverloaded }
    }

    private func hasPlace(for kind: RequestClass.Kind) -> Bool {
        runningInAll < limits.running && running[kind.rawValue] < limits[kind].running
    }

    /// True where a free place would go to a waiting request before a new one of this class. The waiting request is of
    /// the same class, or of an earlier class whose kind has a place.
    private func isAnyoneAhead(of requestClass: RequestClass) -> Bool {
        if waitingInAll == 0 { return false }
        return RequestClass.allCases[...requestClass.rawValue].contains {
            !queues[$0.rawValue].isEmpty && ($0 == requestClass || hasPlace(for: $0.kind))
        }
    }

    private mutating func start(_ kind: RequestClass.Kind) {
        running[kind.rawValue] += 1
        runningInAll += 1
    }
}

extension AdmissionState.Decision: Equatable where Request: Equatable {}

import GraphQL
import NIOCore
import Synchronization

/// Carries out the decisions of `AdmissionState`, with a lock and a clock.
final class Admission: Sendable {
    private struct State {
        var admission: AdmissionState<AdmissionWait>
        /// Reads that wait, and that equal requests may join.
        var reads: [SharedRead.Key: SharedRead] = [:]
        /// True while `decideLater` is scheduled.
        var hasAlarm = false

        mutating func next(at now: NIODeadline) -> AdmissionState<AdmissionWait>.Decision? {
            let decision = admission.next(at: now)
            switch decision {
            case .admit(let wait), .shed(let wait): close(wait)
            case nil: break
            }
            return decision
        }

        mutating func remove(_ wait: AdmissionWait) -> Bool {
            close(wait)
            return admission.remove(from: wait.requestClass) { $0 === wait }
        }

        /// No request joins the read from now on.
        private mutating func close(_ wait: AdmissionWait) {
            guard let key = wait.readKey, reads[key]?.wait === wait else { return }
            reads[key] = nil
        }
    }

    private let state: Mutex<State>
    private let eventLoop: any EventLoop
    private let shed: [Counter]
    private let shared: Counter

    /// - Parameter eventLoop: the event loop on which requests that have waited too long are found.
    init(_ limits: AdmissionLimits, on eventLoop: any EventLoop, metrics: MetricRegistry) {
        state = Mutex(State(admission: AdmissionState(limits)))
        self.eventLoop = eventLoop
        shed = RequestClass.Kind.allCases.map {
            metrics.counter(
                "graphql_operations_shed_total", help: "Operations that were refused with OVERLOADED.",
                labels: [("kind", "\($0)")])
        }
        shared = metrics.counter(
            "graphql_operations_shared_total", help: "Operations that got the response of an equal one that waited.")
        observe(metrics, limits)
    }

    private func observe(_ metrics: MetricRegistry, _ limits: AdmissionLimits) {
        for kind in RequestClass.Kind.allCases {
            let labels = [("kind", "\(kind)")]
            metrics.gauge("graphql_operations_running", help: "Operations that were admitted.", labels: labels) {
                [weak self] in self?.state.withLock { Double($0.admission.running(kind)) } ?? 0
            }
            metrics.gauge("graphql_operations_waiting", help: "Operations that wait to be admitted.", labels: labels) {
                [weak self] in self?.state.withLock { Double($0.admission.waiting(kind)) } ?? 0
            }
            let limit = limits[kind]
            metrics.gauge("graphql_operations_running_limit", help: "Operations that may run.", labels: labels) {
                Double(limit.running)
            }
            metrics.gauge(
                "graphql_operations_waiting_limit", help: "Operations of members that may wait, and as many of others.",
                labels: labels
            ) { Double(limit.waiting) }
            metrics.gauge(
                "graphql_operations_overloaded", help: "1 while operations wait for longer than is tolerated.",
                labels: labels
            ) { [weak self] in self?.state.withLock { $0.admission.isOverloaded(kind) ? 1 : 0 } ?? 0 }
        }
    }

    /// Judges a request.
    func enter(_ requestClass: RequestClass) throws(RequestError) -> AdmissionEntry {
        try entry(state.withLock { judge(requestClass, readKey: nil, &$0) }, requestClass)
    }

    /// Judges a query that may share the execution of an equal query: it joins one that waits, or is judged as any
    /// other request is.
    func enter(_ requestClass: RequestClass, reading key: SharedRead.Key) throws(RequestError) -> ResponseEntry {
        enum Found {
            case joined(SharedRead)
            case judged(Judgement, SharedRead?)
        }
        let found = state.withLock { state -> Found in
            if let read = state.reads[key], read.join() { return .joined(read) }
            let judgement = judge(requestClass, readKey: key, &state)
            let read = judgement.wait.map { SharedRead($0) }
            if let read { state.reads[key] = read }
            return .judged(judgement, read)
        }
        switch found {
        case .joined(let read):
            shared.increment()
            return .shared(read, hasJoined: true, by: self)
        case .judged(let judgement, let read):
            let entry = try entry(judgement, requestClass)
            return read.map { .shared($0, hasJoined: false, by: self) } ?? .alone(entry)
        }
    }

    private struct Judgement {
        let arrival: AdmissionState<AdmissionWait>.Arrival
        /// nil unless the request has to wait.
        let wait: AdmissionWait?
        let setsAlarm: Bool
    }

    private func judge(_ requestClass: RequestClass, readKey: SharedRead.Key?, _ state: inout State) -> Judgement {
        var wait: AdmissionWait?
        func makeWait() -> AdmissionWait {
            let made = AdmissionWait(requestClass, readKey: readKey, admission: self)
            wait = made
            return made
        }
        let arrival = state.admission.arrived(makeWait(), in: requestClass, at: .now())
        let setsAlarm = wait != nil && !state.hasAlarm
        if setsAlarm { state.hasAlarm = true }
        return Judgement(arrival: arrival, wait: wait, setsAlarm: setsAlarm)
    }

    private func entry(
        _ judgement: Judgement, _ requestClass: RequestClass
    ) throws(RequestError) -> AdmissionEntry {
        if judgement.setsAlarm { decideLater() }
        if let wait = judgement.wait { return .waits(wait, by: self) }
        if judgement.arrival == .admitted { return .admitted(requestClass, by: self) }
        countShed(requestClass)
        throw Overload.refusal
    }

    /// Called before a document that is not in the cache is parsed. Throws where a look-up of the client would be
    /// refused, also if the document turns out to be of a class that has free places: its class is known only after the
    /// parsing.
    func admitParsing(isMember: Bool) throws(RequestError) {
        let requestClass: RequestClass = isMember ? .memberLookup : .anonymousLookup
        guard state.withLock({ $0.admission.wouldRefuse(requestClass, at: .now()) }) else { return }
        countShed(requestClass)
        throw Overload.refusal
    }

    /// An admitted operation has ended.
    func leave(_ requestClass: RequestClass) {
        let now = NIODeadline.now()
        let first = state.withLock { state in
            state.admission.ended(requestClass.kind)
            return state.next(at: now)
        }
        if let first { carryOut(first, at: now) }
    }

    fileprivate func giveUp(_ wait: AdmissionWait) {
        let hasWaited = state.withLock { $0.remove(wait) }
        if hasWaited { wait.decide(.cancelled) }
    }

    func countShed(_ requestClass: RequestClass) { shed[requestClass.kind.rawValue].increment() }

    /// Carries out a decision about a waiting request, then all further ones that can be made now.
    private func carryOut(_ first: AdmissionState<AdmissionWait>.Decision, at now: NIODeadline) {
        var decision: AdmissionState<AdmissionWait>.Decision? = first
        while let decided = decision {
            switch decided {
            case .admit(let wait): wait.decide(.admitted)
            case .shed(let wait):
                countShed(wait.requestClass)
                wait.decide(.shed)
            }
            decision = state.withLock { $0.next(at: now) }
        }
    }

    /// Sets an alarm for the time when the first waiting request will have waited too long.
    private func decideLater() {
        let deadline = state.withLock { state in
            let deadline = state.admission.nextDeadline
            state.hasAlarm = deadline != nil
            return deadline
        }
        guard let deadline else { return }
        eventLoop.scheduleTask(deadline: deadline + .milliseconds(1)) {
            let now = NIODeadline.now()
            if let first = self.state.withLock({ $0.next(at: now) }) { self.carryOut(first, at: now) }
            self.decideLater()
        }
    }
}

/// The wait of a request until it is admitted or refused.
final class AdmissionWait: Sendable {
    enum Outcome: Sendable {
        case admitted
        /// The request has waited too long.
        case shed
        /// The request's client is gone, or the request's time is over.
        case cancelled
    }

    private enum State {
        case undecided(CheckedContinuation<Outcome, Never>?)
        case decided(Outcome)
    }

    let requestClass: RequestClass
    /// nil for a request that no other request may join.
    let readKey: SharedRead.Key?
    private let admission: Admission
    private let state = Mutex(State.undecided(nil))

    fileprivate init(_ requestClass: RequestClass, readKey: SharedRead.Key?, admission: Admission) {
        self.requestClass = requestClass
        self.readKey = readKey
        self.admission = admission
    }

    /// Waits for the decision. A cancelled task gives its place up, unless it has been decided before.
    func outcome() async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let decided: Outcome? = state.withLock { state in
                    if case .decided(let outcome) = state { return outcome }
                    state = .undecided(continuation)
                    return nil
                }
                if let decided { continuation.resume(returning: decided) }
            }
        } onCancel: {
            admission.giveUp(self)
        }
    }

    fileprivate func decide(_ outcome: Outcome) {
        let continuation: CheckedContinuation<Outcome, Never>? = state.withLock { state in
            guard case .undecided(let continuation) = state else { return nil }
            state = .decided(outcome)
            return continuation
        }
        continuation?.resume(returning: outcome)
    }
}

import GraphQL
import NIOCore
import Synchronization

/// Carries out the decisions of `AdmissionState`, with a lock and a clock.
final class Admission: Sendable {
    private struct State {
        var admission: AdmissionState<AdmissionWait>
        /// Whether `decideLater` is scheduled.
        var hasAlarm = false
    }

    private let state: Mutex<State>
    private let eventLoop: any EventLoop
    private let shed: [Counter]

    /// - Parameter eventLoop: the event loop on which requests that have waited too long are found.
    init(_ limits: AdmissionLimits, on eventLoop: any EventLoop, metrics: MetricRegistry) {
        state = Mutex(State(admission: AdmissionState(limits)))
        self.eventLoop = eventLoop
        shed = RequestClass.Kind.allCases.map {
            metrics.counter(
                "graphql_operations_shed_total", help: "Operations that were refused with OVERLOADED.",
                labels: [("kind", "\($0)")])
        }
        observe(metrics)
    }

    private func observe(_ metrics: MetricRegistry) {
        for kind in RequestClass.Kind.allCases {
            let labels = [("kind", "\(kind)")]
            metrics.gauge("graphql_operations_running", help: "Operations that were admitted.", labels: labels) {
                [weak self] in self?.state.withLock { Double($0.admission.running(kind)) } ?? 0
            }
            metrics.gauge("graphql_operations_waiting", help: "Operations that wait to be admitted.", labels: labels) {
                [weak self] in self?.state.withLock { Double($0.admission.waiting(kind)) } ?? 0
            }
            metrics.gauge(
                "graphql_operations_overloaded", help: "1 while operations wait for longer than is tolerated.",
                labels: labels
            ) { [weak self] in self?.state.withLock { $0.admission.isOverloaded(kind) ? 1 : 0 } ?? 0 }
        }
    }

    /// Judges a request.
    func enter(_ requestClass: RequestClass) throws(RequestError) -> AdmissionEntry {
        let now = NIODeadline.now()
        let (arrival, wait, setsAlarm) = state.withLock { state in
            var wait: AdmissionWait?
            func makeWait() -> AdmissionWait {
                let made = AdmissionWait(requestClass, admission: self)
                wait = made
                return made
            }
            let arrival = state.admission.arrived(makeWait(), in: requestClass, at: now)
            let setsAlarm = wait != nil && !state.hasAlarm
            if setsAlarm { state.hasAlarm = true }
            return (arrival, wait, setsAlarm)
        }
        if setsAlarm { decideLater() }
        if let wait { return .waits(wait, by: self) }
        if arrival == .admitted { return .admitted(requestClass, by: self) }
        countShed(requestClass)
        throw Overload.refusal
    }

    /// Refuses a document that is not known yet, and therefore not worth parsing, where not even a look-up would be
    /// admitted.
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
            return state.admission.next(at: now)
        }
        if let first { carryOut(first, at: now) }
    }

    fileprivate func giveUp(_ wait: AdmissionWait) {
        let hasWaited = state.withLock { state in
            state.admission.remove(from: wait.requestClass) { $0 === wait }
        }
        if hasWaited { wait.decide(.cancelled) }
    }

    fileprivate func countShed(_ requestClass: RequestClass) { shed[requestClass.kind.rawValue].increment() }

    /// Carries out a decision, and all that can be decided after it.
    private func carryOut(_ first: AdmissionState<AdmissionWait>.Decision, at now: NIODeadline) {
        var decision: AdmissionState<AdmissionWait>.Decision? = first
        while let decided = decision {
            switch decided {
            case .admit(let wait): wait.decide(.admitted)
            case .shed(let wait):
                countShed(wait.requestClass)
                wait.decide(.shed)
            }
            decision = state.withLock { $0.admission.next(at: now) }
        }
    }

    /// Decides again when the first waiting request will have waited too long.
    private func decideLater() {
        let deadline = state.withLock { state in
            let deadline = state.admission.nextDeadline
            state.hasAlarm = deadline != nil
            return deadline
        }
        guard let deadline else { return }
        eventLoop.scheduleTask(deadline: deadline + .milliseconds(1)) {
            let now = NIODeadline.now()
            if let first = self.state.withLock({ $0.admission.next(at: now) }) { self.carryOut(first, at: now) }
            self.decideLater()
        }
    }
}

/// The wait of a request until it is admitted or refused.
final class AdmissionWait: Sendable {
    enum Outcome: Sendable {
        case admitted
        /// It has waited too long.
        case shed
        /// Its client is gone, or its time is over.
        case cancelled
    }

    private enum State {
        case undecided(CheckedContinuation<Outcome, Never>?)
        case decided(Outcome)
    }

    let requestClass: RequestClass
    private let admission: Admission
    private let state = Mutex(State.undecided(nil))

    fileprivate init(_ requestClass: RequestClass, admission: Admission) {
        self.requestClass = requestClass
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

import NIOCore

/// The waiting requests of one class, in the order of their arrival, and whether they wait too long.
///
/// The judgement is CoDel's (RFC 8289): a class is overloaded once its requests have waited longer than the target for
/// a whole interval. CoDel drops packets at the head of the queue, and its senders then slow down. Clients do not slow
/// down, and should get a refusal at once. An overloaded class therefore refuses newcomers that would wait longer than
/// the target at the pace of the last interval. Requests that wait already keep their places until their longest wait
/// is over. The class stays overloaded until no request waits.
///
/// Only waits are judged. The run time of admitted requests is not: a lock in the database can lengthen it in all
/// classes without any overload.
struct AdmissionQueue<Request> {
    private struct Waiting {
        let request: Request
        let since: NIODeadline
    }

    private let limits: AdmissionLimits.Kind
    private let interval: TimeAmount
    private var waiting = CircularBuffer<Waiting>()
    /// The time since which requests have waited longer than the target; nil where they have not.
    private var standingSince: NIODeadline?
    private(set) var isOverloaded = false
    private var windowBegan = NIODeadline.uptimeNanoseconds(0)
    /// The number of requests that were admitted from this queue in the present window and in the one before.
    private var admitted = (present: 0, before: 0)

    init(_ limits: AdmissionLimits.Kind, interval: TimeAmount) {
        self.limits = limits
        self.interval = interval
    }

    var count: Int { waiting.count }
    var isEmpty: Bool { waiting.isEmpty }
    /// Since when the first request has waited.
    var oldest: NIODeadline? { waiting.first?.since }

    /// True where one more request may wait.
    mutating func hasRoom(at now: NIODeadline) -> Bool {
        if let oldest, now - oldest > limits.target + interval { isOverloaded = true }
        guard isOverloaded else { return waiting.count < limits.waiting }
        turnWindow(now)
        let pace = max(admitted.before, admitted.present)
        let room = Int(Int64(pace) * limits.target.nanoseconds / max(1, interval.nanoseconds))
        return waiting.count < min(limits.waiting, max(1, room))
    }

    mutating func append(_ request: Request, at now: NIODeadline) {
        waiting.append(Waiting(request: request, since: now))
    }

    /// Takes the first request to admit it.
    mutating func admitFirst(at now: NIODeadline) -> Request? {
        guard let first = waiting.popFirst() else { return nil }
        turnWindow(now)
        admitted.present += 1
        judge(wait: now - first.since, at: now)
        return first.request
    }

    /// Takes the first request if it has waited longer than `longest`.
    mutating func shedFirst(at now: NIODeadline, longest: TimeAmount) -> Request? {
        guard let oldest, now - oldest > longest, let first = waiting.popFirst() else { return nil }
        if waiting.isEmpty { relax() } else { isOverloaded = true }
        return first.request
    }

    mutating func remove(where isRemoved: (Request) -> Bool) -> Bool {
        guard let index = waiting.firstIndex(where: { isRemoved($0.request) }) else { return false }
        _ = waiting.remove(at: index)
        if waiting.isEmpty { relax() }
        return true
    }

    private mutating func judge(wait: TimeAmount, at now: NIODeadline) {
        if waiting.isEmpty { return relax() }
        guard wait > limits.target else {
            standingSince = nil
            return
        }
        let since = standingSince ?? now
        standingSince = since
        if now - since >= interval { isOverloaded = true }
    }

    private mutating func relax() {
        standingSince = nil
        isOverloaded = false
    }

    private mutating func turnWindow(_ now: NIODeadline) {
        let age = now - windowBegan
        if age < interval { return }
        admitted = (0, age < interval * 2 ? admitted.present : 0)
        windowBegan = now
    }
}

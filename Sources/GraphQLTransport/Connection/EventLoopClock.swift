import NIOCore

/// A member of an `EventLoopClock`. At each tick, the member compares its deadlines with the present time.
protocol Ticking: AnyObject {
    func tick(at now: NIODeadline)
}

/// The clock of an event loop. It ticks once a second for all its members, because a timer for each member would take
/// an entry in the event loop's heap of scheduled tasks. For a deadline that must not be a second late, a member sets
/// an alarm.
final class EventLoopClock {
    private static let second = TimeAmount.seconds(1)

    private let eventLoop: any EventLoop
    private var members: [ObjectIdentifier: any Ticking] = [:]
    private var ticks: RepeatedTask?
    /// The alarms in the order of their deadlines.
    private var alarms = CircularBuffer<(deadline: NIODeadline, member: any Ticking)>()
    /// The event loop's timer for the earliest alarm.
    private var timer: (deadline: NIODeadline, task: Scheduled<Void>)?
    /// Whether the clock moves only by `pass(to:)`, as in a test of deadlines. The flag does not stop a clock that has
    /// members or alarms already.
    var isManual = false

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Adds a member. The clock retains it until `remove`.
    func add(_ member: any Ticking) {
        members[ObjectIdentifier(member)] = member
        if ticks != nil || isManual { return }
        let clock = NIOLoopBound(self, eventLoop: eventLoop)
        ticks = eventLoop.scheduleRepeatedTask(initialDelay: Self.second, delay: Self.second) { _ in
            clock.value.tick(at: .now())
        }
    }

    func remove(_ member: any Ticking) {
        members[ObjectIdentifier(member)] = nil
        if !members.isEmpty { return }
        ticks?.cancel()
        ticks = nil
    }

    private func tick(at now: NIODeadline) {
        for member in Array(members.values) { member.tick(at: now) }
    }

    /// Sets an alarm: one tick for the member at the deadline. An alarm cannot be cancelled; a member that no longer
    /// needs it ignores the tick.
    func wake(_ member: any Ticking, at deadline: NIODeadline) {
        // The search begins at the end, because a new deadline is mostly later than all others.
        var index = alarms.endIndex
        while index > alarms.startIndex, alarms[alarms.index(before: index)].deadline > deadline {
            index = alarms.index(before: index)
        }
        if index == alarms.endIndex {
            alarms.append((deadline, member))
        } else {
            alarms.insert((deadline, member), at: index)
        }
        setTimer()
    }

    private func setTimer() {
        guard !isManual, let earliest = alarms.first?.deadline else { return }
        if let timer {
            if timer.deadline <= earliest { return }
            timer.task.cancel()
        }
        let clock = NIOLoopBound(self, eventLoop: eventLoop)
        timer = (earliest, eventLoop.scheduleTask(deadline: earliest) { clock.value.ring(at: .now()) })
    }

    private func ring(at now: NIODeadline) {
        timer = nil
        // A member may set its next alarm, which then goes off in a later call.
        let due = Array(alarms.prefix { $0.deadline <= now })
        alarms.removeFirst(due.count)
        for alarm in due { alarm.member.tick(at: now) }
        setTimer()
    }

    /// Ticks all members once, and sets off all alarms up to `now`. A manual clock moves only by this call.
    func pass(to now: NIODeadline) {
        tick(at: now)
        ring(at: now)
    }
}

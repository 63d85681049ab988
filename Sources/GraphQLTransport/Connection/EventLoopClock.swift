import NIOCore

/// An object that an `EventLoopClock` ticks: every second while the object is a member, and at the deadline of each
/// alarm that is set for it. At a tick, the object does what is due.
protocol Ticking: AnyObject {
    func tick(at now: NIODeadline)
}

/// The clock of an event loop. It ticks once a second for all its members, because a timer for each member would take
/// an entry in the event loop's heap of scheduled tasks. A deadline that must not be a second late gets an alarm.
final class EventLoopClock {
    private static let second = TimeAmount.seconds(1)

    private let eventLoop: any EventLoop
    private var members: [ObjectIdentifier: any Ticking] = [:]
    private var ticks: RepeatedTask?
    /// The alarms in the order of their deadlines.
    private var alarms = CircularBuffer<(deadline: NIODeadline, member: any Ticking)>()
    /// The event loop's timer for the earliest alarm.
    private var timer: (deadline: NIODeadline, task: Scheduled<Void>)?

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Adds a member, which the clock retains until `remove`.
    func add(_ member: any Ticking) {
        members[ObjectIdentifier(member)] = member
        if ticks != nil { return }
        let clock = NIOLoopBound(self, eventLoop: eventLoop)
        ticks = eventLoop.scheduleRepeatedTask(initialDelay: Self.second, delay: Self.second) { _ in
            clock.value.tick()
        }
    }

    func remove(_ member: any Ticking) {
        members[ObjectIdentifier(member)] = nil
        if !members.isEmpty { return }
        ticks?.cancel()
        ticks = nil
    }

    private func tick() {
        let now = NIODeadline.now()
        for member in Array(members.values) { member.tick(at: now) }
    }

    /// Sets an alarm: one tick at the deadline, for a member or any other object. An alarm cannot be cancelled, and
    /// retains its object until it rings, even after `remove`. An object that no longer needs the tick ignores it.
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
        guard let earliest = alarms.first?.deadline else { return }
        if let timer {
            if timer.deadline <= earliest { return }
            timer.task.cancel()
        }
        let clock = NIOLoopBound(self, eventLoop: eventLoop)
        timer = (earliest, eventLoop.scheduleTask(deadline: earliest) { clock.value.ring() })
    }

    private func ring() {
        timer = nil
        let now = NIODeadline.now()
        while let alarm = alarms.first, alarm.deadline <= now {
            alarms.removeFirst()
            alarm.member.tick(at: now)
        }
        setTimer()
    }
}

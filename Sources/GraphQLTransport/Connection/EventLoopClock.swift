import NIOCore

/// Has deadlines, and looks at them when it is told the time.
protocol Ticking: AnyObject {
    func tick(at now: NIODeadline)
}

/// The clock of an event loop. It tells its members the time once a second, since a timer for each member would cost a
/// place in the loop's heap. A deadline that a second's delay would spoil is an alarm.
final class EventLoopClock {
    private static let second = TimeAmount.seconds(1)

    private let eventLoop: any EventLoop
    private var members: [ObjectIdentifier: any Ticking] = [:]
    private var ticks: RepeatedTask?
    /// The earliest first.
    private var alarms = CircularBuffer<(deadline: NIODeadline, member: any Ticking)>()
    /// Goes off with the earliest alarm.
    private var timer: (deadline: NIODeadline, task: Scheduled<Void>)?

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Held until it is removed.
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

    /// Tells the time once at the deadline. It cannot be taken back: who has no use for it any more lets it pass.
    func wake(_ member: any Ticking, at deadline: NIODeadline) {
        // Most deadlines are the latest yet.
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

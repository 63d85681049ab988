import NIOCore

/// Told once a second.
protocol Ticking: AnyObject {
    func tick()
}

/// One clock for all sockets of an event loop: a timer for each of them costs a place in the loop's heap once a second.
final class EventLoopClock {
    private let eventLoop: any EventLoop
    private var members: [ObjectIdentifier: any Ticking] = [:]
    private var timer: RepeatedTask?

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Held until it is removed.
    func add(_ member: any Ticking) {
        members[ObjectIdentifier(member)] = member
        if timer != nil { return }
        let clock = NIOLoopBound(self, eventLoop: eventLoop)
        timer = eventLoop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
            clock.value.tick()
        }
    }

    func remove(_ member: any Ticking) {
        members[ObjectIdentifier(member)] = nil
        if !members.isEmpty { return }
        timer?.cancel()
        timer = nil
    }

    private func tick() {
        for member in Array(members.values) { member.tick() }
    }
}

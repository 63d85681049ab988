import CEpoll
import Glibc

/// The kernel's set of sockets to wait for. The caller identifies each socket by a number.
final class Epoll: Sendable {
    private let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))

    deinit { close(descriptor) }

    func add(_ socket: Int32, number: Int) { control(EPOLL_CTL_ADD, socket, number, forWriting: false) }

    func change(_ socket: Int32, number: Int, forWriting: Bool) {
        control(EPOLL_CTL_MOD, socket, number, forWriting: forWriting)
    }

    func remove(_ socket: Int32) { epoll_ctl(descriptor, EPOLL_CTL_DEL, socket, nil) }

    /// Waits for events and fills the array with them.
    /// - Returns: the number of events; 0 after `milliseconds` without any, or where the wait was interrupted.
    func wait(_ events: inout [epoll_event], milliseconds: Int32) -> Int {
        Int(max(0, epoll_wait(descriptor, &events, Int32(events.count), milliseconds)))
    }

    private func control(_ operation: Int32, _ socket: Int32, _ number: Int, forWriting: Bool) {
        var event = epoll_event(
            events: EPOLLIN.rawValue | (forWriting ? EPOLLOUT.rawValue : 0),
            data: epoll_data_t(u64: UInt64(truncatingIfNeeded: number)))
        epoll_ctl(descriptor, operation, socket, &event)
    }
}

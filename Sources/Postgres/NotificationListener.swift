import CEpoll
import CLibpq
import Glibc
import Logging
import Synchronization

/// A connection that listens on channels and passes each NOTIFY to a callback. It reconnects when the connection is
/// lost.
///
/// A NOTIFY that is sent while the connection is down is lost. `onConnect` is called after each connect, so that the
/// caller can look up what it has missed. Both callbacks run on the listener's thread, and must not block.
public final class NotificationListener: Sendable {
    public struct Notification: Sendable, Hashable {
        public let channel: String
        public let payload: String
    }

    /// The milliseconds after which a listener looks whether the primary is still the same.
    private static let timelinePoll: Int32 = 500

    private let configuration: ConnectionConfiguration
    private let channels: [String]
    private let onConnect: @Sendable () -> Void
    private let onNotification: @Sendable (Notification) -> Void
    private let stopped = Atomic<Bool>(false)
    private let wake: Int32

    /// Starts the listener's thread, which connects and listens until `stop()`.
    public init(
        _ configuration: ConnectionConfiguration, channels: [String],
        onConnect: @escaping @Sendable () -> Void = {},
        onNotification: @escaping @Sendable (Notification) -> Void
    ) {
        self.configuration = configuration
        self.channels = channels
        self.onConnect = onConnect
        self.onNotification = onNotification
        wake = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        startThread(named: "postgres-listen") { self.listenUntilStopped() }
    }

    deinit { close(wake) }

    /// Tells the thread to end, and does not wait for it. A callback that runs now is finished. `onConnect` may still
    /// be called if the thread is connecting now.
    public func stop() {
        guard !stopped.exchange(true, ordering: .sequentiallyConsistent) else { return }
        eventfd_write(wake, 1)
    }

    private func listenUntilStopped() {
        var backOff = BackOff()
        var generator = SystemRandomNumberGenerator()
        while !stopped.load(ordering: .sequentiallyConsistent) {
            if let session = try? configuration.connect(logLevel: backOff.failures == 0 ? .warning : .debug) {
                if listen(session.libpq) {
                    backOff.succeeded()
                    onConnect()
                    receive(session)
                }
                PQfinish(session.libpq)
            }
            let pause = backOff.failed(using: &generator)
            waitForInput(nil, milliseconds: Int32(truncatingIfNeeded: pause.milliseconds))
        }
    }

    private func listen(_ libpq: OpaquePointer) -> Bool {
        channels.allSatisfy { channel in
            guard let name = PQescapeIdentifier(libpq, channel, channel.utf8.count) else { return false }
            defer { PQfreemem(name) }
            let result = PQexec(libpq, "listen " + String(cString: name))
            defer { PQclear(result) }
            return PQresultStatus(result) == PGRES_COMMAND_OK
        }
    }

    /// Receives until the session ends, the listener is stopped, or the primary is another.
    private func receive(_ session: ConnectionConfiguration.Session) {
        let libpq = session.libpq
        let timeline = configuration.timeline
        while !stopped.load(ordering: .sequentiallyConsistent), timeline?.isOutdated(session.generation) != true,
            PQconsumeInput(libpq) == 1
        {
            while let notification = PQnotifies(libpq) {
                defer { PQfreemem(notification) }
                guard !stopped.load(ordering: .sequentiallyConsistent) else { return }
                onNotification(
                    Notification(
                        channel: String(cString: notification.pointee.relname),
                        payload: String(cString: notification.pointee.extra)))
            }
            waitForInput(libpq, milliseconds: timeline == nil ? -1 : Self.timelinePoll)
        }
    }

    /// Waits until the socket has input, the time is over, or the listener is stopped.
    private func waitForInput(_ libpq: OpaquePointer?, milliseconds: Int32) {
        var descriptors = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
        if let libpq { descriptors.append(pollfd(fd: PQsocket(libpq), events: Int16(POLLIN), revents: 0)) }
        poll(&descriptors, nfds_t(descriptors.count), milliseconds)
    }
}

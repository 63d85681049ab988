import CLibpq
import Glibc
import Synchronization

/// Looks for the primary among several hosts. Without it, a process whose sessions all lead to an old primary that
/// still answers would not learn of the new one.
///
/// A thread for each host keeps one session open and asks twice a second whether the host is a primary, and on which
/// timeline. Nothing is done where there is only one host.
public final class PrimaryWatch: Sendable {
    private static let interval = Duration.milliseconds(500)

    private let configuration: ConnectionConfiguration
    private let timeline: PrimaryTimeline
    private let stopped = Atomic<Bool>(false)
    /// The number of hosts that have not been asked yet.
    private let unasked: Guarded<Int>
    private let wake: Condition

    /// Begins to watch, and blocks for up to a second until each host has been asked once, so that the first session of
    /// a pool does not lead to an old primary. The threads run until `stop()`.
    public init(_ configuration: ConnectionConfiguration, _ timeline: PrimaryTimeline) {
        self.configuration = configuration
        self.timeline = timeline
        let hosts = HostList(configuration.connectionString)
        let lock = Lock()
        unasked = Guarded(hosts.count, by: lock)
        wake = Condition(lock)
        guard hosts.count > 1 else { return }
        for host in 0..<hosts.count {
            startThread(named: "postgres-watch") { self.watch(host, of: hosts) }
        }
        let end = Instant.now() + .seconds(1)
        while Instant.now() < end, unasked.withLock({ $0 > 0 }) {
            unasked.withLock { if $0 > 0 { wake.wait(until: end) } }
        }
    }

    /// Tells the threads to end, and does not wait for them.
    public func stop() { stopped.store(true, ordering: .relaxed) }

    private func watch(_ host: Int, of hosts: HostList) {
        var session: OpaquePointer?
        var isFirst = true
        defer { if let session { PQfinish(session) } }
        while !stopped.load(ordering: .relaxed) {
            if session == nil { session = try? configuration.open(host, of: hosts, anyKind: true) }
            let now = Instant.now()
            let server = session.flatMap { ServerIdentity($0, deadline: now + .seconds(2)) }
            if let server {
                _ = timeline.admit(server, now: now)
            } else if let lost = session {
                PQfinish(lost)
                session = nil
            }
            timeline.found(server, on: host)
            if isFirst {
                isFirst = false
                unasked.withLock { $0 -= 1 }
                wake.broadcast()
            }
            usleep(useconds_t(Self.interval.milliseconds * 1_000))
        }
    }
}

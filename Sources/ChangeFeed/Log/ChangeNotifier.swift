import Postgres

/// Reports this server's writes to the other replicas by NOTIFY, at most every 20 ms. The transactions of the writes
/// send no NOTIFY. A transaction that sends one holds an exclusive lock until its commit has ended, so commits would
/// take turns.
/// Source: PostgreSQL's async.c, PreCommit_Notify
public struct ChangeNotifier: Sendable {
    private let log: ChangeLog

    public init(_ log: ChangeLog) { self.log = log }

    /// Runs until the task is cancelled.
    public func run() async {
        let signal = log.hub.written
        while !Task.isCancelled {
            guard await signal.wait(atMost: .seconds(60)) else { continue }
            _ = try? await log.pool.run(Segment(["select pg_notify('tertulia_changes', '')"]))
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// A listener that wakes this server's tail after each connect and for each NOTIFY of any replica, until the
    /// listener is stopped.
    public func listen(_ connection: ConnectionConfiguration) -> NotificationListener {
        let hub = log.hub
        return NotificationListener(
            connection, channels: [ChangeTail.channel], onConnect: { hub.signal.signal() },
            onNotification: { _ in hub.signal.signal() })
    }
}

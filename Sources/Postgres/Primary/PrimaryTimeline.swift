import Logging
import Synchronization

/// The newest timeline that any session of this process has seen on a primary. All connections to one primary share it.
///
/// After a failover the old primary may still run and answer reads, if the program that should stop it hangs. The new
/// primary has a higher timeline. From the moment that one session has seen it, sessions of an older timeline are
/// refused, and those that are open are used no more. So whoever has read from the new primary never reads older data
/// afterwards.
public final class PrimaryTimeline: Sendable {
    private struct State {
        /// By the number of the cluster: timelines of different clusters cannot be compared.
        var newest: [String: UInt32] = [:]
        /// When the first session was refused since one of the newest timeline was last opened.
        var refusingSince: Instant?
        /// Whether the log has a refusal since the newest timeline was first seen.
        var hasToldOfRefusal = false
        /// The host that has the newest timeline, by its index in the list of hosts.
        var host: Int?
    }

    private let patience: Duration
    private let logger: Logger
    private let state = Guarded(State())
    private let generation = Atomic<Int>(0)

    /// - Parameter patience: how long servers of an older timeline are refused while the newest is nowhere to be seen.
    ///   Afterwards they are taken, because an administrator may have restored the older history.
    public init(patience: Duration = .seconds(60), logger: Logger = Logger(label: "postgres")) {
        self.patience = patience
        self.logger = logger
    }

    /// Decides whether a new session is used.
    /// - Returns: the generation of the session, with which `isOutdated` is asked later; nil: the server's timeline is
    ///   an older one.
    func admit(_ server: ServerIdentity, now: Instant) -> Int? {
        let (admitted, message) = state.withLock { state -> (Int?, Logger.Message?) in
            let current = generation.load(ordering: .relaxed)
            // A standby has no timeline of its own.
            guard let timeline = server.timeline else { return (current, nil) }
            guard let newest = state.newest[server.system] else {
                state.newest[server.system] = timeline
                return (current, nil)
            }
            var message: Logger.Message = "the primary is another: sessions with the one before are ended"
            if timeline < newest {
                let since = state.refusingSince ?? now
                if now < since + patience {
                    state.refusingSince = since
                    defer { state.hasToldOfRefusal = true }
                    return (nil, state.hasToldOfRefusal ? nil : "a server of an older timeline is not used")
                }
                message = "a server of an older timeline is used, because the newest was not found"
            }
            state.refusingSince = nil
            guard timeline != newest else { return (current, nil) }
            state.newest[server.system] = timeline
            state.hasToldOfRefusal = false
            generation.store(current + 1, ordering: .releasing)
            return (current + 1, message)
        }
        if let message { logger.warning(message, metadata: ["timeline": "\(server.timeline ?? 0)"]) }
        return admitted
    }

    /// The number of times that a newer timeline was seen.
    var current: Int { generation.load(ordering: .acquiring) }

    /// True where a newer timeline was seen after the session of this generation was opened.
    func isOutdated(_ generation: Int) -> Bool { generation != current }

    // MARK: The primary's host

    /// The indices of hosts in the order in which they are tried: from the last known primary on.
    func order(of hosts: Int) -> [Int] {
        let first = state.withLock { $0.host } ?? 0
        return (0..<hosts).map { (first + $0) % hosts }
    }

    /// Notes what a host was found to be.
    /// - Parameter server: nil where the host did not answer.
    func found(_ server: ServerIdentity?, on host: Int) {
        state.withLock { state in
            let newest = server.flatMap { state.newest[$0.system] }
            let isPrimary = newest != nil && server?.timeline == newest
            if isPrimary { state.host = host } else if state.host == host { state.host = nil }
        }
    }
}

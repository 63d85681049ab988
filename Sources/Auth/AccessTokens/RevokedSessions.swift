import Synchronization

/// The sessions that ended before their access tokens do. A poller replaces the whole set from the database; a
/// revocation by this replica counts at once. All times are milliseconds since 1970.
public final class RevokedSessions: Sendable {
    private struct State {
        var read: [String: Int64] = [:]
        var readAt = Int64.min
        /// Revoked here, and perhaps not yet in what the poller read.
        var local: [String: (revokedAt: Int64, until: Int64)] = [:]
    }

    private let state = Mutex(State())
    /// In milliseconds.
    private let maximumAge: Int64

    public init(maximumAge: Int64 = 2_000) { self.maximumAge = maximumAge }

    /// - Parameters:
    ///   - sessions: until when each session's tokens may live, by session id.
    ///   - time: when the read began, by this replica's clock.
    public func replace(with sessions: [String: Int64], asOf time: Int64) {
        state.withLock { state in
            guard time >= state.readAt else { return }
            state.read = sessions
            state.readAt = time
            state.local = state.local.filter { $1.revokedAt >= time }
        }
    }

    /// Call it after the revocation has been committed.
    public func revoke(_ session: String, until: Int64, now: Int64) {
        state.withLock { $0.local[session] = (now, until) }
    }

    public func isRevoked(_ session: String, now: Int64) -> Bool {
        state.withLock { state in
            if let until = state.read[session], now < until { return true }
            guard !state.local.isEmpty, let local = state.local[session] else { return false }
            return now < local.until
        }
    }

    /// Whether the last read is younger than two seconds; if not, ask the database for each request.
    public func isFresh(now: Int64) -> Bool {
        let readAt = state.withLock { $0.readAt }
        return readAt != .min && now - readAt < maximumAge
    }
}

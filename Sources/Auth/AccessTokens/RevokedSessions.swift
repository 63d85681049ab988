import Synchronization

/// The revoked sessions whose access tokens have not all expired yet. A poller replaces the whole set from the
/// database; a revocation by this replica counts at once. All times are milliseconds since 1970.
public final class RevokedSessions: Sendable {
    private struct Watch {
        let number: Int
        let notify: @Sendable () -> Void
    }

    private struct State {
        var read: [String: Int64] = [:]
        var readAt = Int64.min
        /// Revocations by this replica that the poller's last read may have missed.
        var local: [String: (revokedAt: Int64, until: Int64)] = [:]
        var watches: [String: [Watch]] = [:]
        var watchCount = 0
    }

    private let state = Mutex(State())
    /// The age at which the last read is too old to rely on, in milliseconds.
    private let maximumAge: Int64

    /// - Parameter maximumAge: the age at which the last read is too old to rely on, in milliseconds.
    public init(maximumAge: Int64 = 2_000) { self.maximumAge = maximumAge }

    /// - Parameters:
    ///   - sessions: when the last access token of each revoked session expires, by session id.
    ///   - time: when the read began, by this replica's clock.
    public func replace(with sessions: [String: Int64], asOf time: Int64) {
        let watches = state.withLock { state -> [Watch] in
            // Ignore a read that began before the last one. If it began earlier by `maximumAge` or more, the clock was
            // set back: the read counts.
            guard time >= state.readAt || state.readAt - time >= maximumAge else { return [] }
            let watched =
                state.watches.count < sessions.count
                ? state.watches.keys.filter { sessions[$0] != nil } : sessions.keys.filter { state.watches[$0] != nil }
            let new = watched.filter { state.read[$0] == nil && state.local[$0] == nil }
            state.read = sessions
            state.readAt = time
            state.local = state.local.filter { $1.revokedAt >= time }
            return new.flatMap { state.watches[$0] ?? [] }
        }
        for watch in watches { watch.notify() }
    }

    /// Call this after the revocation's transaction has committed.
    /// - Parameter until: when the session's last access token expires.
    public func revoke(_ session: String, until: Int64, now: Int64) {
        let watches = state.withLock { state in
            state.local[session] = (now, until)
            return state.watches[session] ?? []
        }
        for watch in watches { watch.notify() }
    }

    /// Calls `notify`, on any thread, when this replica learns that the session was revoked.
    /// - Returns: a function that ends the watch.
    public func watch(_ session: String, _ notify: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let number = state.withLock { state in
            state.watchCount += 1
            state.watches[session, default: []].append(Watch(number: state.watchCount, notify: notify))
            return state.watchCount
        }
        return { [self] in
            state.withLock { state in
                let rest = (state.watches[session] ?? []).filter { $0.number != number }
                state.watches[session] = rest.isEmpty ? nil : rest
            }
        }
    }

    /// The number of watched sessions.
    var watchedCount: Int { state.withLock { $0.watches.count } }

    /// True where the session was revoked and its tokens are unexpired, as far as this replica knows; see `isFresh`.
    public func isRevoked(_ session: String, now: Int64) -> Bool {
        state.withLock { state in
            if let until = state.read[session], now < until { return true }
            guard !state.local.isEmpty, let local = state.local[session] else { return false }
            return now < local.until
        }
    }

    /// True where the last read is younger than `maximumAge`. Otherwise ask the database for each request.
    public func isFresh(now: Int64) -> Bool {
        let readAt = state.withLock { $0.readAt }
        return readAt != .min && (now - readAt).magnitude < maximumAge
    }
}

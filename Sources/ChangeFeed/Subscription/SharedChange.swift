import Postgres
import Synchronization

/// A change on its way to subscribers. Those who see the same share one reading of its object.
public final class SharedChange: Sendable {
    private struct State {
        var reading: AnyObject?
        var readAt: ContinuousClock.Instant?
        var exceptions: Set<UUID> = []
    }

    public let change: Change
    public let cursor: ChangeCursor
    /// Whether subscribers were offered it as it came. What one alone catches up with is read in its own name.
    public let isOffered: Bool
    private let createdAt = ContinuousClock.now
    private let state = Mutex(State())

    public init(_ change: Change, cursor: ChangeCursor, isOffered: Bool = false) {
        self.change = change
        self.cursor = cursor
        self.isOffered = isOffered
    }

    /// The reading of the object that its subscribers share, made for the first who asks.
    public func reading<Reading: AnyObject & Sendable>(_ make: () -> Reading) -> Reading {
        state.withLock { state in
            if let reading = state.reading as? Reading { return reading }
            let reading = make()
            state.reading = reading
            return reading
        }
    }

    /// The object is being read for all.
    public func noteReading() { state.withLock { $0.readAt = $0.readAt ?? .now } }

    /// The reading does not hold for these people: what hides them, or shows them, was written before it, and the tail had
    /// not told of it.
    public func except(_ people: Set<UUID>) {
        if !people.isEmpty { state.withLock { $0.exceptions = people } }
    }

    @usableFromInline
    func excepts(_ viewer: UUID?) -> Bool {
        guard let viewer else { return false }
        return state.withLock { $0.exceptions.contains(viewer) }
    }

    /// Whether it was read before a newer change of the object came, which may hide it.
    func isRead(before newer: SharedChange) -> Bool {
        guard newer.change.object == change.object, !newer.change.isCountersOnly, newer !== self else { return false }
        return state.withLock { $0.readAt.map { $0 <= newer.createdAt } ?? false }
    }
}

import Postgres
import Synchronization

/// A change on its way to subscribers. Subscribers that see the same share one reading of its object.
public final class SharedChange: Sendable {
    private struct State {
        var reading: AnyObject?
        var readAt: ContinuousClock.Instant?
        var exceptions: Set<UUID> = []
    }

    public let change: Change
    public let cursor: ChangeCursor
    /// Whether the change was offered to subscribers live. A change that one subscriber catches up with is read in the
    /// viewer's name.
    public let isOffered: Bool
    private let createdAt = ContinuousClock.now
    private let state = Mutex(State())

    public init(_ change: Change, cursor: ChangeCursor, isOffered: Bool = false) {
        self.change = change
        self.cursor = cursor
        self.isOffered = isOffered
    }

    /// The reading of the object that the subscribers share. The first caller makes it.
    /// - Parameter make: makes the reading. The change refers to the reading, so the reading must not refer to the change:
    ///   neither would be released.
    public func reading<Reading: AnyObject & Sendable>(_ make: () -> Reading) -> Reading {
        state.withLock { state in
            if let reading = state.reading as? Reading { return reading }
            let reading = make()
            state.reading = reading
            return reading
        }
    }

    /// Notes the time at which the object is read for all.
    public func noteReading() { state.withLock { $0.readAt = $0.readAt ?? .now } }

    /// Excepts people for whom the shared reading does not hold: a block of theirs, or its end, was committed before
    /// the reading, but the tail had not published it.
    public func except(_ people: Set<UUID>) {
        if !people.isEmpty { state.withLock { $0.exceptions = people } }
    }

    @usableFromInline
    func excepts(_ viewer: UUID?) -> Bool {
        guard let viewer else { return false }
        return state.withLock { $0.exceptions.contains(viewer) }
    }

    /// Whether the object was read for all before a newer change of it came, which may hide the object.
    func isRead(before newer: SharedChange) -> Bool {
        guard newer.change.object == change.object, !newer.change.isCountersOnly, newer !== self else { return false }
        return state.withLock { $0.readAt.map { $0 <= newer.createdAt } ?? false }
    }
}

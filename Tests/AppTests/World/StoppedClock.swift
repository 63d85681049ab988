import Postgres
import Synchronization

/// A clock that goes on only when it is told to.
final class StoppedClock: Sendable {
    private let time = Mutex(Timestamp.now())

    var now: Timestamp { time.withLock { $0 } }

    func advance(by milliseconds: Int64) { time.withLock { $0.microseconds += milliseconds * 1000 } }
}

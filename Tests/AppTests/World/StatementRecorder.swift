import Postgres
import Synchronization

/// Every statement that a world's pools sent, as text with places for values.
final class StatementRecorder: Sendable {
    private let recorded = Mutex<[SegmentStarted]>([])

    func record(_ segment: SegmentStarted) { recorded.withLock { $0.append(segment) } }

    /// What was recorded since the last call.
    func take() -> [SegmentStarted] {
        recorded.withLock { recorded in
            defer { recorded = [] }
            return recorded
        }
    }
}

import Synchronization

/// Counts the runs of work in the background, for metrics.
public final class BackgroundFigures: Sendable {
    /// The runs of one work since the server started.
    public struct Work: Sendable, Equatable {
        public let name: String
        public var runs = 0
        public var failures = 0
    }

    private let work = Mutex<[Work]>([])

    /// In the order of the first runs.
    public var all: [Work] { work.withLock { $0 } }

    func note(_ name: String, hasFailed: Bool) {
        work.withLock { work in
            let index: Int
            if let known = work.firstIndex(where: { $0.name == name }) {
                index = known
            } else {
                index = work.count
                work.append(Work(name: name))
            }
            work[index].runs += 1
            if hasFailed { work[index].failures += 1 }
        }
    }
}

import Postgres
import Synchronization

/// Records that an account read or wrote something in an hour.
struct ActivityMark: Hashable, Sendable {
    enum Kind: String, Sendable {
        case read = "READ"
        case write = "WRITE"
    }

    /// In hours since 1970.
    let hour: Int64
    let kind: Kind
    let account: UUID
}

/// The marks of this replica that are not written yet. A request only inserts into a set; `ActivityRecorder` writes.
public final class ActivityMarks: Sendable {
    private struct State {
        var hour: Int64 = 0
        /// The marks of this hour, including those that are written; at most `maximum`.
        var seen: Set<ActivityMark> = []
        var unwritten: [ActivityMark] = []
    }

    /// The capacity of each collection, about 4 MB. A mark that finds `unwritten` full is lost, which happens if the
    /// database is out of reach for long. A full `seen` is emptied: a mark is then written again, without effect.
    private static let maximum = 65_536
    private let state = Mutex(State())

    public init() {}

    var unwritten: Int { state.withLock { $0.unwritten.count } }

    func note(_ kind: ActivityMark.Kind, by account: UUID, at now: Timestamp) {
        let hour = now.unixMilliseconds / 3_600_000
        let mark = ActivityMark(hour: hour, kind: kind, account: account)
        state.withLock { state in
            if hour != state.hour {
                state.hour = hour
                state.seen.removeAll(keepingCapacity: true)
            }
            if state.seen.count >= Self.maximum { state.seen.removeAll(keepingCapacity: true) }
            guard state.seen.insert(mark).inserted, state.unwritten.count < Self.maximum else { return }
            state.unwritten.append(mark)
        }
    }

    /// Removes and returns up to `count` marks, which the caller then writes.
    func take(_ count: Int) -> [ActivityMark] {
        state.withLock { state in
            let taken = Array(state.unwritten.suffix(count))
            state.unwritten.removeLast(taken.count)
            return taken
        }
    }

    func putBack(_ marks: [ActivityMark]) { state.withLock { $0.unwritten += marks } }
}

/// Writes the marks of this replica. An existing mark stays as it is, so neither a restart nor another replica counts
/// an account twice.
public struct ActivityRecorder: Sendable {
    private static let interval: Duration = .seconds(10)
    private static let batchSize = 500

    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

    /// Writes the marks every ten seconds until the task is cancelled.
    public func run() async {
        await environment.worker("marks of activity", every: Self.interval) {
            await flush()
            return .afterInterval
        }.run()
    }

    /// Writes all unwritten marks. Also called at shutdown, after the last request.
    public func flush() async {
        while true {
            let marks = environment.activity.take(Self.batchSize)
            if marks.isEmpty { return }
            do {
                _ = try await environment.pools.worker.run(Segment([Self.insert(marks)]))
            } catch {
                environment.activity.putBack(marks)
                environment.warn("marks of activity are not written", error)
                return
            }
        }
    }

    /// In the order of the key, so that two replicas cannot deadlock.
    private static func insert(_ marks: [ActivityMark]) -> SQL {
        """
        insert into activity_marks select to_timestamp(hour * 3600), kind, account \
        from unnest(\(marks.map(\.hour)), \(marks.map(\.kind.rawValue)), \(marks.map(\.account))) \
        as marks (hour, kind, account) order by 1, 2, 3 on conflict do nothing
        """
    }
}

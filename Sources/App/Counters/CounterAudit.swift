import Logging
import Postgres
import Synchronization

/// Compares every stored counter with the rows that it counts, in small batches while the server runs.
///
/// A batch compares the counters of at most `batch` objects, in one snapshot. If a counter of an object differs, all
/// counters of the object are compared again under the lock of the object's row. A counter that differs under the lock
/// is reported, and also repaired if `repairs` is true.
public struct CounterAudit: Sendable {
    /// The number of objects whose counters were compared, and the counters that differed under the lock.
    public struct Outcome: Sendable, Equatable {
        public var objects = 0
        public var drift: [DriftedCounter] = []
    }

    static let batch: Int32 = 200

    /// The connection has the worker's role. It has no statement timeout, because an object may have a million likes to
    /// count.
    private let connection: DedicatedConnection

    public init(_ connection: DedicatedConnection) { self.connection = connection }

    /// - Parameters:
    ///   - repairs: whether a counter that differs under the lock is set to the counted number.
    ///   - pauseFactor: the pause after each batch, as a multiple of the batch's duration.
    ///   - found: called with each counter that differs under the lock; with `repairs`, after the counter's repair.
    public func run(
        repairs: Bool, pauseFactor: Int = 0, found: (DriftedCounter) -> Void = { _ in }
    ) async throws -> Outcome {
        var outcome = Outcome()
        for kind in DriftedCounter.Kind.allCases {
            var after = UUID(high: 0, low: 0)
            while true {
                try Task.checkCancellation()
                let start = ContinuousClock.now
                let next = NextDriftedCounters(kind: kind, after: after, batch: Self.batch)
                guard let batch = try await connection.run(next).first else { break }
                for id in batch.suspects {
                    for drift in try await connection.run(RecountedCounters(kind: kind, id: id, repairs: repairs)) {
                        found(drift)
                        outcome.drift.append(drift)
                    }
                }
                outcome.objects += Int(batch.objects)
                after = batch.last
                if pauseFactor > 0 { try await Task.sleep(for: (ContinuousClock.now - start) * pauseFactor) }
            }
        }
        return outcome
    }
}

/// The result of this server's last audit, for metrics.
public final class CounterAuditStatistics: Sendable {
    private let last = Mutex<(drift: Int, objects: Int, finishedAt: Timestamp)?>(nil)

    public init() {}

    /// The number of counters that the last audit found to differ from their rows; nil before the first audit has
    /// ended.
    public var drift: Int? { last.withLock { $0?.drift } }
    /// The number of objects whose counters the last audit compared; 0 before the first audit has ended.
    public var objects: Int { last.withLock { $0?.objects ?? 0 } }
    /// The end of the last audit, in seconds since 1970; 0 before the first audit has ended.
    public var finishedAt: Double { last.withLock { $0.map { Double($0.finishedAt.unixMilliseconds) / 1000 } ?? 0 } }

    func note(_ outcome: CounterAudit.Outcome, at now: Timestamp) {
        last.withLock { $0 = (outcome.drift.count, outcome.objects, now) }
    }
}

/// Audits the counters on each replica: when the server starts, and then an hour or a little less after each audit's
/// end. A replica leaves an audit out if another replica is auditing at that moment. The pauses limit an audit to a
/// tenth of one connection's time.
public struct CounterAuditor: Sendable {
    private static let interval: Duration = .seconds(3600)
    /// An arbitrary key that no other advisory lock uses.
    private static let advisoryLock: Int64 = 0x7465_7274_6175_6474

    private let environment: Environment
    private let configuration: ConnectionConfiguration
    private let statistics: CounterAuditStatistics

    /// - Parameter configuration: the configuration of a connection in the worker's role.
    public init(
        _ environment: Environment, _ configuration: ConnectionConfiguration, statistics: CounterAuditStatistics
    ) {
        self.environment = environment
        self.configuration = configuration
        self.statistics = statistics
    }

    /// Runs until the task is cancelled. A failure is logged and does not end the loop.
    public func run() async {
        await environment.worker("the audit of counters", every: Self.interval) {
            try await audit()
            return .afterInterval
        }.run()
    }

    func audit() async throws {
        let connection = try await DedicatedConnection.open(configuration)
        do {
            if try await connection.execute("select pg_try_advisory_lock(\(Self.advisoryLock))")[0].bool(0) {
                let outcome = try await CounterAudit(connection).run(repairs: false, pauseFactor: 9) { drift in
                    environment.logger.error("a counter differs from its rows", metadata: ["drift": "\(drift)"])
                }
                statistics.note(outcome, at: environment.now())
            }
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
    }
}

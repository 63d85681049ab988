import Logging
import Postgres
import Synchronization

/// Recounts every counter in small batches while the server runs.
///
/// A batch is one statement, whose single snapshot shows each counter together with the rows that it counts. A counter
/// that differs is counted again under the lock of its object's row. Only then is it reported and, if asked, repaired.
public struct CounterAudit: Sendable {
    /// The number of objects whose counters were recounted, and the counters that differed.
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
    ///   - repairs: whether a counter that differs is set to the counted number.
    ///   - pauseFactor: the pause after each batch, as a multiple of the batch's duration.
    ///   - found: called with each counter that differs, as soon as it is confirmed.
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
    /// The number of objects whose counters the last audit recounted; 0 before the first audit has ended.
    public var objects: Int { last.withLock { $0?.objects ?? 0 } }
    /// The end of the last audit, in seconds since 1970; 0 before the first audit has ended.
    public var finishedAt: Double { last.withLock { $0.map { Double($0.finishedAt.unixMilliseconds) / 1000 } ?? 0 } }

    func note(_ outcome: CounterAudit.Outcome, at now: Timestamp) {
        last.withLock { $0 = (outcome.drift.count, outcome.objects, now) }
    }
}

/// Audits the counters every hour, on one replica at a time. The pauses limit an audit to a tenth of one connection's
/// time.
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

    /// Audits every hour until the task is cancelled. A failure is logged and does not end the loop.
    public func run() async {
        await environment.worker("the audit of counters", every: Self.interval) {
            try await audit()
            return .afterInterval
        }.run()
    }

    func audit() async throws {
        let connection = try await DedicatedConnection.open(configuration)
        do {
            if try await connection.one("select pg_try_advisory_lock(\(Self.advisoryLock))", { $0.bool(0) }) {
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

import Logging
import Postgres
import Synchronization

/// Recounts every counter in small batches, beside everything else.
///
/// A batch is one statement and one snapshot, in which a counter and its rows are always of the same commits. What differs
/// all the same is looked at once more under the lock of its row before it is told, and repaired there.
public struct CounterAudit: Sendable {
    public struct Outcome: Sendable, Equatable {
        public var objects = 0
        public var drift: [DriftedCounter] = []
    }

    static let batch: Int32 = 200

    /// As the worker role, and without a statement timeout: what has a million likes is counted, too.
    private let connection: DedicatedConnection

    public init(_ connection: DedicatedConnection) { self.connection = connection }

    /// - Parameters:
    ///   - repairs: whether what differs is set to what was counted.
    ///   - restFactor: how many times as long as a batch took the audit rests after it.
    ///   - found: told of each counter that differs, as soon as it is known.
    public func run(
        repairs: Bool, restFactor: Int = 0, found: (DriftedCounter) -> Void = { _ in }
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
                if restFactor > 0 { try await Task.sleep(for: (ContinuousClock.now - start) * restFactor) }
            }
        }
        return outcome
    }
}

/// The last audit of this server, for its metrics.
public final class CounterAuditFigures: Sendable {
    private let last = Mutex<(drift: Int, objects: Int, finishedAt: Timestamp)?>(nil)

    public init() {}

    /// Counters that differed from their rows; nil before the first audit has ended.
    public var drift: Int? { last.withLock { $0?.drift } }
    public var objects: Int { last.withLock { $0?.objects ?? 0 } }
    /// In seconds since 1970; 0 before the first audit has ended.
    public var finishedAt: Double { last.withLock { $0.map { Double($0.finishedAt.unixMilliseconds) / 1000 } ?? 0 } }

    func note(_ outcome: CounterAudit.Outcome, at now: Timestamp) {
        last.withLock { $0 = (outcome.drift.count, outcome.objects, now) }
    }
}

/// Audits the counters while a server runs, one replica at a time, with a tenth of the time of one connection.
public struct CounterAuditor: Sendable {
    private static let interval: Duration = .seconds(3600)
    /// Any number that nothing else locks.
    private static let advisoryLock: Int64 = 0x7465_7274_6175_6474

    private let environment: Environment
    private let configuration: ConnectionConfiguration
    private let figures: CounterAuditFigures

    /// - Parameter configuration: a connection in the worker's role.
    public init(_ environment: Environment, _ configuration: ConnectionConfiguration, figures: CounterAuditFigures) {
        self.environment = environment
        self.configuration = configuration
        self.figures = figures
    }

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
                let outcome = try await CounterAudit(connection).run(repairs: false, restFactor: 9) { drift in
                    environment.logger.error("a counter differs from its rows", metadata: ["drift": "\(drift)"])
                }
                figures.note(outcome, at: environment.now())
            }
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
    }
}

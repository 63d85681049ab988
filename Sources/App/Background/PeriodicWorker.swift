import Logging
import Postgres

/// Work beside the requests, repeated until its task is cancelled: it runs, rests for an interval, and runs again.
///
/// A run that throws is logged and repeated after a pause. The pause begins with the interval and doubles with each
/// failure in a row, up to `longestPause`.
public struct PeriodicWorker: Sendable {
    /// When the next run begins.
    public enum Next: Sendable {
        case atOnce, afterInterval
    }

    /// Of the interval: replicas that were started together do not stay in step. An interval is only ever cut short.
    private static let jitter = 0.1
    /// A failure that repeats itself is logged this often.
    private static let logInterval: Duration = .seconds(60)

    private let name: String
    private let interval: Duration
    private let longestPause: Duration
    private let logger: Logger
    private let work: @Sendable () async throws -> Next

    /// - Parameters:
    ///   - name: of the work, in the log.
    ///   - longestPause: between a failure and the next run; not used where the interval is longer.
    public init(
        _ name: String, every interval: Duration, longestPause: Duration = .seconds(5), logger: Logger,
        _ work: @escaping @Sendable () async throws -> Next
    ) {
        self.name = name
        self.interval = interval
        self.longestPause = max(interval, longestPause)
        self.logger = logger
        self.work = work
    }

    /// Until the task is cancelled.
    public func run() async {
        var failures = Failures()
        while !Task.isCancelled {
            do {
                let next = try await work()
                failures = Failures()
                if next == .afterInterval {
                    try await Task.sleep(for: interval * Double.random(in: 1 - Self.jitter...1))
                }
            } catch {
                // The server ends; the work has not failed.
                if error is CancellationError || Task.isCancelled { return }
                log(error, &failures)
                try? await Task.sleep(for: min(longestPause, interval * (1 << min(failures.count - 1, 16))))
            }
        }
    }

    /// Of runs in a row.
    private struct Failures {
        var count = 0
        var logged: (text: String, at: ContinuousClock.Instant)?
    }

    private func log(_ error: any Error, _ failures: inout Failures) {
        failures.count += 1
        let text = error.textForLog
        if let logged = failures.logged, logged.text == text, logged.at + Self.logInterval > .now { return }
        failures.logged = (text, .now)
        logger.warning("background work failed and is tried again", metadata: ["work": "\(name)", "error": "\(text)"])
    }
}

extension Environment {
    /// A worker that writes the environment's log.
    func worker(
        _ name: String, every interval: Duration, longestPause: Duration = .seconds(5),
        _ work: @escaping @Sendable () async throws -> PeriodicWorker.Next
    ) -> PeriodicWorker {
        PeriodicWorker(name, every: interval, longestPause: longestPause, logger: logger, work)
    }
}

extension Error {
    /// An error of the database without the values of its row.
    var textForLog: String { (self as? PostgresError)?.server?.withoutValues ?? "\(self)" }
}

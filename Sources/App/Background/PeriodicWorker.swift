import Logging
import Postgres

/// Work in the background, repeated until its task is cancelled: the worker runs it, rests for an interval, and runs it
/// again.
///
/// A run that throws is logged and repeated after a pause. The first pause is the interval; each further failure in a row
/// doubles the pause, up to `longestPause`.
public struct PeriodicWorker: Sendable {
    /// When the next run begins.
    public enum Next: Sendable {
        case atOnce, afterInterval
    }

    /// The largest part of an interval that is cut off at random, so that replicas that were started together do not
    /// stay in step.
    private static let jitter = 0.1
    /// The shortest time between two log lines about the same failure.
    private static let logInterval: Duration = .seconds(60)

    private let name: String
    private let interval: Duration
    private let longestPause: Duration
    private let logger: Logger
    private let work: @Sendable () async throws -> Next

    /// - Parameters:
    ///   - name: names the work in the log.
    ///   - longestPause: the longest pause after a failure; the interval where that is longer.
    ///   - work: one run; says when the next begins.
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

    /// Runs the work until the task is cancelled.
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
                // A cancelled run has not failed: the server ends.
                if error is CancellationError || Task.isCancelled { return }
                log(error, &failures)
                try? await Task.sleep(for: min(longestPause, interval * (1 << min(failures.count - 1, 16))))
            }
        }
    }

    /// The failures since the last run that succeeded.
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
    /// A worker that logs to the environment's log.
    func worker(
        _ name: String, every interval: Duration, longestPause: Duration = .seconds(5),
        _ work: @escaping @Sendable () async throws -> PeriodicWorker.Next
    ) -> PeriodicWorker {
        PeriodicWorker(name, every: interval, longestPause: longestPause, logger: logger, work)
    }
}

extension Error {
    /// The error's description; an error of PostgreSQL without the values of the row.
    var textForLog: String {
        switch self as? PostgresError {
        case .server(let error): error.withoutValues
        case .column(let error): "\(error)"
        default: "\(self)"
        }
    }
}

import GraphQL
import Logging
import NIOCore
import NIOHTTP1

/// The metrics and log entries of requests.
final class Telemetry: Sendable {
    let connections: Gauge
    let streams: StreamMetrics
    private let responses: [Counter]
    /// The histograms by operation type and outcome, in the order of their cases; the last type is "unknown".
    private let durations: [[Histogram]]
    private let errors: ErrorMetrics
    private let logger: Logger
    private let verbosity: AccessLog.Verbosity

    init(metrics: MetricRegistry, logger: Logger, verbosity: AccessLog.Verbosity) {
        connections = metrics.gauge("http_connections", help: "Open HTTP connections.")
        streams = StreamMetrics(metrics)
        responses = (1...5).map {
            metrics.counter("http_responses_total", help: "HTTP responses.", labels: [("status", "\($0)xx")])
        }
        durations = (OperationType.allCases.map(\.rawValue) + ["unknown"]).map { type in
            OperationOutcome.allCases.map { outcome in
                metrics.histogram(
                    "graphql_operation_duration_seconds", help: "Seconds from a request's head to its answer.",
                    labels: [("type", type), ("outcome", "\(outcome)")])
            }
        }
        errors = ErrorMetrics(metrics)
        self.logger = logger
        self.verbosity = verbosity
    }

    /// Records a request at its answer.
    /// - Parameter operation: nil for a request that is not a GraphQL request, and for one whose operation the other
    ///   `record` records.
    func record(_ operation: OperationSummary?, status: HTTPResponseStatus, head: RequestHead, since start: NIODeadline)
    {
        let duration = NIODeadline.now() - start
        responses[min(max(Int(status.code) / 100, 1), 5) - 1].increment()
        if let operation {
            durations[index(of: operation.type)][operation.outcome.rawValue]
                .observe(.nanoseconds(duration.nanoseconds))
            if !operation.errorCodes.isEmpty { errors.count(operation.errorCodes) }
            operation.tellObserver(after: .nanoseconds(duration.nanoseconds))
        }
        let level = AccessLog.level(status: Int(status.code), outcome: operation?.outcome, verbosity: verbosity)
        guard let level, level >= logger.logLevel else { return }
        logger.log(
            level: level, "request",
            metadata: AccessLog.metadata(
                head, status: Int(status.code), duration: .nanoseconds(duration.nanoseconds), operation))
    }

    /// Records an operation over a WebSocket or in a streamed response, apart from the HTTP request that carries it. A
    /// subscription is recorded when its source stream was created.
    func record(_ operation: OperationSummary, head: RequestHead, since start: NIODeadline) {
        let duration = Duration.nanoseconds((NIODeadline.now() - start).nanoseconds)
        durations[index(of: operation.type)][operation.outcome.rawValue].observe(duration)
        if !operation.errorCodes.isEmpty { errors.count(operation.errorCodes) }
        operation.tellObserver(after: duration)
        let level = AccessLog.level(status: 200, outcome: operation.outcome, verbosity: verbosity)
        guard let level, level >= logger.logLevel else { return }
        logger.log(
            level: level, "operation",
            metadata: AccessLog.metadata(head, status: 200, duration: duration, operation))
    }

    private func index(of type: OperationType?) -> Int {
        switch type {
        case .query: 0
        case .mutation: 1
        case .subscription: 2
        case nil: 3
        }
    }
}

/// The errors of operations by `extensions.code`. A code that is no `ErrorCode` counts as "other", so that a schema of
/// any number of codes has few metrics.
private struct ErrorMetrics: Sendable {
    private let known: [String: Counter]
    private let other: Counter

    init(_ metrics: MetricRegistry) {
        func counter(_ code: String) -> Counter {
            metrics.counter("graphql_errors_total", help: "Errors in answers, by code.", labels: [("code", code)])
        }
        known = Dictionary(uniqueKeysWithValues: ErrorCode.all.map { ($0.rawValue, counter($0.rawValue)) })
        other = counter("other")
    }

    func count(_ codes: [String]) {
        for code in codes { (known[code] ?? other).increment() }
    }
}

import GraphQL
import Logging
import NIOCore
import NIOHTTP1
import Synchronization

/// The metrics and log entries of requests.
final class Telemetry: Sendable {
    let connections: Gauge
    let streams: StreamMetrics
    private let responses: [Counter]
    /// The histograms by operation type and outcome, in the order of their cases; the last type is "unknown".
    private let durations: [[Histogram]]
    private let logger: Logger
    private let verbosity: AccessLog.Verbosity
    private let hasWarnedOfHop = Atomic(false)

    init(metrics: MetricRegistry, logger: Logger, verbosity: AccessLog.Verbosity) {
        connections = metrics.gauge("http_connections", help: "Open HTTP connections.")
        streams = StreamMetrics(metrics)
        responses = (1...5).map {
            metrics.counter("http_responses_total", help: "HTTP responses.", labels: [("status", "\($0)xx")])
        }
        durations = (OperationType.allCases.map(\.rawValue) + ["unknown"]).map { type in
            OperationSummary.Outcome.allCases.map { outcome in
                metrics.histogram(
                    "graphql_operation_duration_seconds", help: "Seconds from a request's head to its answer.",
                    labels: [("type", type), ("outcome", "\(outcome)")])
            }
        }
        self.logger = logger
        self.verbosity = verbosity
    }

    /// Records a request at its answer.
    /// - Parameter operation: nil for a request that is not a GraphQL request.
    func record(_ operation: OperationSummary?, status: HTTPResponseStatus, head: RequestHead, since start: NIODeadline)
    {
        let duration = NIODeadline.now() - start
        responses[min(max(Int(status.code) / 100, 1), 5) - 1].increment()
        if let operation {
            durations[index(of: operation.type)][operation.outcome.rawValue]
                .observe(.nanoseconds(duration.nanoseconds))
        }
        let level = AccessLog.level(status: Int(status.code), outcome: operation?.outcome, verbosity: verbosity)
        guard let level, level >= logger.logLevel else { return }
        logger.log(
            level: level, "request",
            metadata: AccessLog.metadata(
                head, status: Int(status.code), duration: .nanoseconds(duration.nanoseconds), operation))
    }

    /// Records an operation that has no HTTP response of its own. A subscription is recorded when its source stream was
    /// created.
    func record(_ operation: OperationSummary, head: RequestHead, since start: NIODeadline) {
        let duration = Duration.nanoseconds((NIODeadline.now() - start).nanoseconds)
        durations[index(of: operation.type)][operation.outcome.rawValue].observe(duration)
        let level = AccessLog.level(status: 200, outcome: operation.outcome, verbosity: verbosity)
        guard let level, level >= logger.logLevel else { return }
        logger.log(
            level: level, "operation",
            metadata: AccessLog.metadata(head, status: 200, duration: duration, operation))
    }

    /// Logs, once for this server, that a trusted proxy does not name its clients by addresses.
    /// - Parameter peer: the address that the request came from. Another proxy may have written the entry.
    func warn(of hop: UnreadableHop, from peer: String) {
        if hasWarnedOfHop.exchange(true, ordering: .relaxed) { return }
        logger.warning(
            "A trusted proxy names no address for its client. The client counts as the peer.",
            metadata: ["peer": "\(peer)", "entry": "\(String(decoding: hop.entry.prefix(100), as: UTF8.self))"])
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

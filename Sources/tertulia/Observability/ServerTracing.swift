import App
import Cryptography
import GraphQL
import GraphQLTransport
import Logging
import NIOCore
import OpenTelemetry
import W3CTraceContext

/// The traces of a server: their sampler, the tracer, and the queue and exporter that bring spans to the collector.
struct ServerTracing {
    private let queue = SpanQueue()
    private let sampler: TraceSampler
    private let tracer: OTLPTracer
    private let exporter: SpanExporter

    /// - Returns: nil where no collector is set.
    init?(_ settings: TracingSettings) {
        guard let endpoint = settings.endpoint else { return nil }
        sampler = TraceSampler(ratio: settings.ratio)
        tracer = OTLPTracer(queue)
        exporter = SpanExporter(
            queue, to: endpoint.text,
            resource: [
                ("service.name", settings.serviceName), ("service.version", Tertulia.version),
                ("service.instance.id", Hex.encode(SecureRandom.bytes(16))), ("telemetry.sdk.language", "swift"),
            ])
    }

    /// Exports spans until the task is cancelled. While the collector is away, the pauses between attempts grow.
    func export(logger: Logger, figures: BackgroundFigures) async {
        await PeriodicWorker(
            "the export of spans", every: .seconds(1), longestPause: .seconds(8), logger: logger, figures: figures
        ) { try await exporter.export() ? .atOnce : .afterInterval }.run()
    }

    /// Exports what is left.
    func shutdown() async { await exporter.shutdown() }

    /// The trace of a request; nil for a request that is not sampled.
    func trace(of head: RequestHead) -> OperationRecord.Trace? {
        let caller = head.traceContext
        guard sampler.samples(callerSamples: caller?.isSampled, second: Self.second) else { return nil }
        let parent = caller.map { SpanIdentity($0) }
        return OperationRecord.Trace(tracer: tracer, span: SpanIdentity(childOf: parent), parent: parent)
    }

    /// The record of one event's execution; nil for an event that is not sampled.
    func record(eventOf subscription: IdentifiedOperation) -> DeliveryRecord? {
        guard sampler.samples(callerSamples: nil, second: Self.second) else { return nil }
        return DeliveryRecord(subscription, tracer)
    }

    private static var second: UInt32 {
        UInt32(truncatingIfNeeded: NIODeadline.now().uptimeNanoseconds / 1_000_000_000)
    }

    /// The figures of the sampler, the queue and the exporter, read at each scrape.
    func observe(by metrics: MetricRegistry) {
        metrics.counter("trace_sampled_total", help: "Requests and deliveries that were traced.") { [sampler] in
            Double(sampler.sampled)
        }
        metrics.counter(
            "trace_declined_total", help: "Traces that callers asked for beyond the limit of a second."
        ) { [sampler] in Double(sampler.declined) }
        metrics.gauge("trace_spans_queued", help: "Spans that wait to be exported.") { [queue] in Double(queue.count) }
        metrics.gauge("trace_spans_queue_capacity", help: "Spans for which there is room.") {
            Double(SpanQueue.capacity)
        }
        metrics.counter("trace_spans_exported_total", help: "Spans that the collector accepted.") { [exporter] in
            Double(exporter.statistics.exported)
        }
        let drops: [(String, @Sendable () -> Int)] = [
            ("queue_full", { [queue] in queue.dropped }), ("refused", { [exporter] in exporter.statistics.refused }),
            ("undelivered", { [exporter] in exporter.statistics.undelivered }),
        ]
        for (reason, read) in drops {
            metrics.counter(
                "trace_spans_dropped_total", help: "Spans that did not reach the collector.",
                labels: [("reason", reason)]
            ) { Double(read()) }
        }
    }
}

extension GraphQLServer {
    /// Observes operations for traces and the log of slow operations. Where neither is on, no operation is observed.
    mutating func observe(_ tracing: ServerTracing?, _ slowOperations: SlowOperations?) {
        if let slowOperations {
            observeOperation = { head in
                OperationRecord(head.requestID, trace: tracing?.trace(of: head), slowOperations: slowOperations)
            }
        } else if let tracing {
            observeOperation = { head in
                tracing.trace(of: head).map { OperationRecord(head.requestID, trace: $0, slowOperations: nil) }
            }
        }
        if let tracing { observeEvent = { tracing.record(eventOf: $0) } }
    }
}

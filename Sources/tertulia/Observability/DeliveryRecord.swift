import GraphQL
import GraphQLTransport
import OpenTelemetry
import Tracing

/// The record of one execution of a subscription's event, which may serve many subscribers. It becomes the spans of a
/// trace of its own, since the event has no caller.
final class DeliveryRecord: ExecutionObserver {
    private let tracer: OTLPTracer
    private let subscription: IdentifiedOperation
    private let execution = ExecutionRecord(detail: .levels)

    init(_ subscription: IdentifiedOperation, _ tracer: OTLPTracer) {
        self.subscription = subscription
        self.tracer = tracer
    }

    var detail: ObservationDetail { execution.detail }

    func execute<R: Sendable, Failure: Error>(
        _ body: () async throws(Failure) -> R
    ) async throws(Failure) -> R {
        let began = ContinuousClock.now
        defer { makeSpans(since: began) }
        return try await execution.execute(body)
    }

    func resolveLevel<R: Sendable>(of fields: [String], _ body: () async -> R) async -> R {
        await execution.resolveLevel(of: fields, body)
    }

    private func makeSpans(since began: ContinuousClock.Instant) {
        let clock = WallClock()
        let name = subscription.name.map { String($0.prefix(100)) }
        let span = tracer.startSpan(
            ["deliver", name].compactMap { $0 }.joined(separator: " "), context: .topLevel, ofKind: .producer,
            at: clock.instant(began))
        span.attributes["graphql.operation.type"] = subscription.type.rawValue
        span.attributes["graphql.operation.name"] = name
        span.attributes["tertulia.document.hash"] = subscription.documentHash
        execution.makeSpans(in: span.context, clock, by: tracer)
        span.end(at: clock.instant(clock.now))
    }
}

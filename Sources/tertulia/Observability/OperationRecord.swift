import GraphQL
import GraphQLTransport
import Logging
import OpenTelemetry
import Synchronization
import Tracing

/// The record of one operation from its request to its answer. At the end it becomes the spans of a trace, if the
/// request is sampled, and an entry of the log, if the operation was slow.
final class OperationRecord: OperationObserver {
    private struct State {
        var identity: IdentifiedOperation?
        var parsing: Range<ContinuousClock.Instant>?
        var validation: Range<ContinuousClock.Instant>?
        var hasEnded = false
    }

    /// The trace of a sampled request.
    struct Trace: Sendable {
        let tracer: OTLPTracer
        /// The span of the request.
        let span: SpanIdentity
        /// The caller's span; nil where the trace begins here.
        let parent: SpanIdentity?
    }

    private let trace: Trace?
    private let slowOperations: SlowOperations?
    private let requestID: RequestID
    private let arrived = ContinuousClock.now
    private let execution: ExecutionRecord
    private let state = Mutex(State())

    /// `trace` is nil for a request that is not sampled, `slowOperations` where slow operations are not logged.
    init(_ requestID: RequestID, trace: Trace?, slowOperations: SlowOperations?) {
        self.requestID = requestID
        self.trace = trace
        self.slowOperations = slowOperations
        execution = ExecutionRecord(detail: trace == nil ? .execution : .levels)
    }

    /// Ends an operation that got no answer of its own, because its time was over or its client is gone.
    deinit { end(outcome: nil, errorCodes: [], after: arrived.duration(to: .now)) }

    var detail: ObservationDetail { execution.detail }

    func execute<R: Sendable, Failure: Error>(
        _ body: () async throws(Failure) -> R
    ) async throws(Failure) -> R { try await execution.execute(body) }

    func resolveLevel<R: Sendable>(of fields: [String], _ body: () async -> R) async -> R {
        await execution.resolveLevel(of: fields, body)
    }

    func prepared(parsing: Range<ContinuousClock.Instant>, validation: Range<ContinuousClock.Instant>?) {
        state.withLock { ($0.parsing, $0.validation) = (parsing, validation) }
    }

    func identified(_ operation: IdentifiedOperation) { state.withLock { $0.identity = operation } }

    func answered(_ answer: AnsweredOperation) {
        end(outcome: answer.outcome, errorCodes: answer.errorCodes, after: answer.duration)
    }

    var logMetadata: Logger.Metadata {
        guard let trace else { return [:] }
        return ["trace_id": "\(trace.span.traceID)", "span_id": "\(trace.span.spanID)"]
    }

    /// Logs the operation if it was slow, and makes the spans. `outcome` is nil for an operation without an answer.
    private func end(outcome: OperationOutcome?, errorCodes: [String], after passed: @autoclosure () -> Duration) {
        let state = state.withLock { state -> State? in
            defer { state.hasEnded = true }
            return state.hasEnded ? nil : state
        }
        guard let state else { return }
        let duration = passed()
        if let slowOperations, duration >= slowOperations.threshold {
            var metadata = logMetadata
            metadata["request_id"] = "\(requestID)"
            metadata["outcome"] = "\(Self.name(of: outcome))"
            slowOperations.note(state.identity, execution, after: duration, metadata)
        }
        if let trace { makeSpans(trace, state, outcome, errorCodes, duration) }
    }

    private func makeSpans(
        _ trace: Trace, _ state: State, _ outcome: OperationOutcome?, _ errorCodes: [String], _ duration: Duration
    ) {
        let clock = WallClock()
        var context = InstrumentationContext.topLevel
        context.span = trace.parent
        context.chosenSpan = trace.span
        let type = state.identity?.type.rawValue
        let name = state.identity?.name.map { String($0.prefix(100)) }
        let span = trace.tracer.startSpan(
            [type ?? "request", name].compactMap { $0 }.joined(separator: " "), context: context, ofKind: .server,
            // This span begins no later than `arrived`, so that no span inside it begins before it.
            at: clock.instant(min(arrived, clock.now - duration)))
        span.attributes["graphql.operation.type"] = type
        span.attributes["graphql.operation.name"] = name
        span.attributes["tertulia.document.hash"] = state.identity?.documentHash
        span.attributes["tertulia.request.id"] = requestID.description
        span.attributes["tertulia.outcome"] = Self.name(of: outcome)
        span.attributes["error.type"] = errorCodes.first
        if outcome == .failed || outcome == nil { span.setStatus(SpanStatus(code: .error)) }
        for (name, range) in [("parse", state.parsing), ("validate", state.validation)] {
            guard let range else { continue }
            trace.tracer.startSpan(name, context: span.context, at: clock.instant(range.lowerBound))
                .end(at: clock.instant(range.upperBound))
        }
        execution.makeSpans(in: span.context, clock, by: trace.tracer)
        span.end(at: clock.instant(clock.now))
    }

    private static func name(of outcome: OperationOutcome?) -> String { outcome.map { "\($0)" } ?? "unanswered" }
}

import GraphQL
import OpenTelemetry
import Postgres
import Synchronization
import Tracing

/// The levels and statements of one execution, for its spans and for the log of slow operations. The record has neither
/// texts nor values.
final class ExecutionRecord: Sendable {
    /// The most statements that are recorded. Others are only counted.
    private static let maxStatements = 256
    /// The most levels that are recorded. The statements of others belong to the operation.
    private static let maxLevels = 256

    private struct Level {
        let fields: [String]
        let began: ContinuousClock.Instant
        var ended: ContinuousClock.Instant?
    }

    private struct State {
        var levels: [Level] = []
        var statements: [(segment: TracedSegment, level: Int?)] = []
        var statementCount = 0
    }

    /// `levels` for spans; `execution` where only the statements matter.
    let detail: ObservationDetail
    private let state = Mutex(State())

    init(detail: ObservationDetail) { self.detail = detail }

    var statementCount: Int { state.withLock { $0.statementCount } }
    /// The recorded statements, by the time at which they were sent.
    var statements: [TracedSegment] {
        state.withLock { $0.statements.map(\.segment) }.sorted { $0.startedAt < $1.startedAt }
    }

    // MARK: - Recording

    func execute<R: Sendable, Failure: Error>(
        _ body: () async throws(Failure) -> R
    ) async throws(Failure) -> R {
        let result: Result<R, Failure> = await StatementTrace.$current.withValue(trace(level: nil)) {
            do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    func resolveLevel<R: Sendable>(of fields: [String], _ body: () async -> R) async -> R {
        let index = state.withLock { state -> Int? in
            guard state.levels.count < Self.maxLevels else { return nil }
            state.levels.append(Level(fields: fields, began: .now))
            return state.levels.count - 1
        }
        let result = await StatementTrace.$current.withValue(trace(level: index), operation: body)
        if let index { state.withLock { $0.levels[index].ended = .now } }
        return result
    }

    private func trace(level: Int?) -> StatementTrace {
        StatementTrace { segment in
            self.state.withLock { state in
                state.statementCount += 1
                if state.statements.count < Self.maxStatements { state.statements.append((segment, level)) }
            }
        }
    }

    // MARK: - Spans

    /// Makes the spans of the levels, and those of the statements below them.
    func makeSpans(in context: InstrumentationContext, _ clock: WallClock, by tracer: OTLPTracer) {
        let state = state.withLock { $0 }
        let levels = state.levels.enumerated().map { number, level in
            let span = tracer.startSpan(
                "level \(number + 1)", context: context, ofKind: .internal, at: clock.instant(level.began))
            span.attributes["graphql.fields"] = SpanAttribute.stringArray(level.fields)
            // A level without an end was cut off by the end of its operation.
            span.end(at: clock.instant(level.ended ?? clock.now))
            return span.context
        }
        for (segment, level) in state.statements {
            let span = tracer.startSpan(
                segment.name, context: level.map { levels[$0] } ?? context, ofKind: .client,
                at: clock.instant(segment.startedAt))
            span.attributes["db.system.name"] = "postgresql"
            span.attributes["db.query.summary"] = segment.name
            if let rows = segment.rows {
                span.attributes["db.response.returned_rows"] = rows
            } else {
                span.setStatus(SpanStatus(code: .error))
            }
            span.end(at: clock.instant(segment.endedAt))
        }
    }
}

/// Turns instants of the continuous clock into times since 1970. Both clocks are read at the same moment, so that a
/// step of the wall clock during an operation cannot put a span before its parent.
struct WallClock {
    let now = ContinuousClock.now
    private let nanoseconds = DefaultTracerClock.now.nanosecondsSinceEpoch

    func instant(_ instant: ContinuousClock.Instant) -> UnixInstant {
        let (seconds, attoseconds) = instant.duration(to: now).components
        let distance = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        return UnixInstant(nanosecondsSinceEpoch: UInt64(max(0, Int64(nanoseconds) - distance)))
    }
}

struct UnixInstant: TracerInstant {
    let nanosecondsSinceEpoch: UInt64

    static func < (left: Self, right: Self) -> Bool { left.nanosecondsSinceEpoch < right.nanosecondsSinceEpoch }
}

import GraphQLTransport
import Logging
import Postgres
import Synchronization

/// Logs operations that took longer than the setting SLOW_OPERATION_MS. Each has one entry, with the names and times of
/// its statements. Neither the document's text nor a value is logged.
final class SlowOperations: Sendable {
    /// In one `window` at most `entriesAtOnce` operations are logged, because a slow database makes every operation
    /// slow. The first entry of the next window says how many operations were left out.
    private static let window = Duration.seconds(10)
    private static let entriesAtOnce = 10
    private static let maxStatements = 20

    private struct State {
        var windowBegan: ContinuousClock.Instant?
        var entries = 0
        var leftOut = 0
    }

    let threshold: Duration
    private let logger: Logger
    private let counter: Counter
    private let state = Mutex(State())

    init(threshold: Duration, metrics: MetricRegistry, logger: Logger) {
        self.threshold = threshold
        self.logger = logger
        counter = metrics.counter(
            "graphql_slow_operations_total", help: "Operations that took longer than SLOW_OPERATION_MS.")
    }

    /// Counts a slow operation, and logs it unless the window is full. `metadata` are further fields of the entry.
    func note(
        _ operation: IdentifiedOperation?, _ execution: ExecutionRecord, after duration: Duration,
        _ metadata: Logger.Metadata, at now: ContinuousClock.Instant = .now
    ) {
        counter.increment()
        guard let leftOut = leftOutBeforeEntry(at: now) else { return }
        var metadata = metadata
        metadata["duration_us"] = .stringConvertible(Int(duration / .microseconds(1)))
        if let operation {
            metadata["operation_type"] = "\(operation.type.rawValue)"
            metadata["document"] = "\(operation.documentHash)"
            if let name = operation.name { metadata["operation"] = "\(name.prefix(100))" }
        }
        let statements = execution.statements
        metadata["statement_count"] = .stringConvertible(execution.statementCount)
        metadata["statements"] = "\(statements.prefix(Self.maxStatements).map(Self.text).joined(separator: ", "))"
        if leftOut > 0 { metadata["left_out"] = .stringConvertible(leftOut) }
        logger.warning("slow operation", metadata: metadata)
    }

    /// `ThoughtsByID 12.3 ms`, or `ThoughtsByID 2000.0 ms failed`. A statement has one query plan
    /// (docs/decisions/0003), so its name tells the query plan as well.
    private static func text(of statement: TracedSegment) -> String {
        let tenths = Int((statement.duration / .microseconds(100)).rounded())
        return "\(statement.name) \(tenths / 10).\(tenths % 10) ms\(statement.rows == nil ? " failed" : "")"
    }

    /// - Returns: the number of operations that were left out since the last entry; nil where this operation is left
    ///   out.
    private func leftOutBeforeEntry(at now: ContinuousClock.Instant) -> Int? {
        state.withLock { state in
            if state.windowBegan.map({ $0.duration(to: now) >= Self.window }) ?? true {
                (state.windowBegan, state.entries) = (now, 0)
            }
            guard state.entries < Self.entriesAtOnce else {
                state.leftOut += 1
                return nil
            }
            defer { state.leftOut = 0 }
            state.entries += 1
            return state.leftOut
        }
    }
}

import GraphQL
import Postgres
import Synchronization

/// The statements of one operation by name, with the field, rows and times of each: docs/requests.md, "What an
/// operation did". It has neither texts nor values of statements.
public final class StatementPlan: ExecutionObserver {
    private struct Step {
        let field: ObservedField
        let segment: TracedSegment
    }

    private let began = ContinuousClock.now
    private let steps = Mutex<[Step]>([])

    init() {}

    public func start<R: Sendable>(_ field: ObservedField, _ body: () throws -> R) rethrows -> R {
        try StatementTrace.$current.withValue(trace(of: field), operation: body)
    }

    public func resolve<R: Sendable>(_ field: ObservedField, _ body: () async throws -> R) async rethrows -> R {
        try await StatementTrace.$current.withValue(trace(of: field), operation: body)
    }

    public var extensions: [(name: String, value: InputValue)] {
        let steps = steps.withLock { $0 }.sorted { $0.segment.startedAt < $1.segment.startedAt }
        return [("plan", .object(InputObject([("steps", .list(steps.map(json)))])))]
    }

    private func trace(of field: ObservedField) -> StatementTrace {
        StatementTrace(inside: .current) { segment in
            self.steps.withLock { $0.append(Step(field: field, segment: segment)) }
        }
    }

    private func json(_ step: Step) -> InputValue {
        let segment = step.segment
        return .object(
            InputObject([
                ("name", .string(segment.name)), ("path", .string(step.field.path)), ("level", .int(step.field.level)),
                ("rows", segment.rows.map { .int($0) } ?? .null),
                ("startedAt", Self.milliseconds(began.duration(to: segment.startedAt))),
                ("duration", Self.milliseconds(segment.duration)),
            ]))
    }

    /// The duration in milliseconds, with three decimals.
    private static func milliseconds(_ duration: Duration) -> InputValue {
        .float((duration / .microseconds(1)).rounded() / 1000)
    }
}

extension RequestContext {
    /// Begins the record of an operation's statements.
    /// - Parameter isForEverybody: true if the server runs without PRODUCTION; otherwise only administrators get a
    ///   plan.
    /// - Throws: FORBIDDEN if the plan is for administrators only and the request is not an administrator's.
    public func statementPlan(isForEverybody: Bool) async throws -> StatementPlan {
        if !isForEverybody {
            guard viewer != nil else { throw ExecutionError.forbidden(reason: "ROLE") }
            let account: ViewerAccount?
            do { account = try await start(CurrentViewer()).value.first } catch { throw executionError(for: error) }
            guard account.map({ String($0.role) == "ADMIN" }) == true else {
                throw ExecutionError.forbidden(reason: "ROLE")
            }
        }
        return StatementPlan()
    }
}

import GraphQL
import NIOCore

/// Runs operations for all outlets, and records them in the log and the metrics, except those refused as overloaded.
struct OperationRunner: Sendable {
    let telemetry: Telemetry

    /// - Parameter deliver: sends one event; the operation ends if it returns false.
    /// - Returns: the events after `streaming`; nil if the operation does not stream, or if `deliver` ended it.
    func run(
        _ operation: @escaping OperationRun, _ head: RequestHead, deliver: (OperationEvent) async -> Bool
    ) async -> OperationEvents? {
        let start = NIODeadline.now()
        var summary = OperationSummary()
        let events = await operation { event in
            switch event {
            case .accepted(let accepted, session: _, headers: _): summary = accepted
            case .refused(let errors, let refused):
                summary = refused
                summary.errorCodes = errors.compactMap(\.code)
                summary.outcome = RefusalStatus(errors).status.code >= 500 ? .failed : .refused
                if Overload.isTold(by: errors) {
                    summary.tellObserver(after: .nanoseconds((NIODeadline.now() - start).nanoseconds))
                } else {
                    telemetry.record(summary, head: head, since: start)
                }
            case .response(let response):
                summary.note(response)
                telemetry.record(summary, head: head, since: start)
            case .part(let response, let hasNext):
                summary.note(response)
                if !hasNext { telemetry.record(summary, head: head, since: start) }
            case .streaming: telemetry.record(summary, head: head, since: start)
            case .event, .completed: break
            }
            return await deliver(event)
        }
        return events.map { OperationEvents($0, in: telemetry.streams) }
    }
}

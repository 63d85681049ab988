import GraphQL
import Synchronization

/// The executions of one change for subscribers whose viewers see the same. Subscribers with the same selection share
/// one execution.
public final class SharedExecutions: ExecutionSharing {
    private enum Execution {
        case running(waiting: [UnsafeContinuation<Response, any Error>])
        case ended(Result<Response, any Error>)
    }

    private let executions = Mutex<[SelectionKey: Execution]>([:])

    public init() {}

    public func response(
        to selection: SelectionKey, _ execute: @escaping @Sendable () async throws -> Response
    ) async throws -> Response {
        // Most callers find a finished execution, and return without a continuation.
        if case .ended(let result)? = executions.withLock({ $0[selection] }) { return try result.get() }
        return try await withUnsafeThrowingContinuation { continuation in
            let (known, isFirst) = executions.withLock { executions -> (Result<Response, any Error>?, Bool) in
                // The dictionary would keep a second reference to the array of continuations, and the append would copy
                // the array. So the entry is removed before the append.
                switch executions.removeValue(forKey: selection) {
                case .ended(let result)?:
                    executions[selection] = .ended(result)
                    return (result, false)
                case .running(var waiting)?:
                    waiting.append(continuation)
                    executions[selection] = .running(waiting: waiting)
                    return (nil, false)
                case nil:
                    executions[selection] = .running(waiting: [continuation])
                    return (nil, true)
                }
            }
            if let known { continuation.resume(with: known) }
            if isFirst { start(selection, execute) }
        }
    }

    private func start(_ selection: SelectionKey, _ execute: @escaping @Sendable () async throws -> Response) {
        Task {
            let result: Result<Response, any Error>
            do {
                result = .success(try await execute())
            } catch {
                result = .failure(error)
            }
            let ended = executions.withLock { $0.updateValue(.ended(result), forKey: selection) }
            guard case .running(let waiting)? = ended else { return }
            for continuation in waiting { continuation.resume(with: result) }
        }
    }
}

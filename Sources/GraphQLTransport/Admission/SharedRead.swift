import GraphQL
import Synchronization

/// One execution for several requests that ask for the same while it waits to be admitted.
///
/// A request joins before the execution begins. So each response is at least as new as its request. The execution has a
/// task of its own, which is cancelled once every one of the requests has been given up.
final class SharedRead: Sendable {
    /// The document, operation and variables of a query. Queries with equal keys have equal responses where
    /// `GraphQLServer.isSharedRead` is true.
    struct Key: Hashable, Sendable {
        /// The SHA-256 of the document.
        let documentHash: String
        let operationName: String?
        let variables: [String: InputValue]

        func hash(into hasher: inout Hasher) {
            hasher.combine(documentHash)
            hasher.combine(operationName)
            // A dictionary has no order; the exclusive or of the hashes needs none.
            hasher.combine(variables.reduce(0) { $0 ^ Self.hash($1.key, $1.value) })
        }

        /// Pages and objects differ by texts and numbers; other values are left to `==`.
        private static func hash(_ name: String, _ value: InputValue) -> Int {
            var hasher = Hasher()
            hasher.combine(name)
            switch value {
            case .string(let text): hasher.combine(text)
            case .int(let number): hasher.combine(number)
            default: break
            }
            return hasher.finalize()
        }
    }

    private struct State {
        /// The number of requests that have not been given up.
        var requests = 1
        var execution: Task<Response, any Error>?
    }

    let wait: AdmissionWait
    private let state = Mutex(State())

    /// A read for the request that waits first.
    init(_ wait: AdmissionWait) { self.wait = wait }

    /// Adds a request.
    /// - Returns: false where every request has been given up.
    func join() -> Bool {
        state.withLock { state in
            if state.requests == 0 { return false }
            state.requests += 1
            return true
        }
    }

    /// Awaits the response, which the first caller's closure executes. Every request calls this once.
    func response(_ execute: @escaping @Sendable () async throws -> Response) async throws -> Response {
        let execution = state.withLock { state in
            let execution = state.execution ?? Task { try await execute() }
            state.execution = execution
            return execution
        }
        return try await withTaskCancellationHandler {
            try await execution.value
        } onCancel: {
            let isLast = state.withLock { state in
                state.requests -= 1
                return state.requests == 0
            }
            if isLast { execution.cancel() }
        }
    }
}

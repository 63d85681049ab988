import GraphQL

/// The result of admission for an operation with a single response, which may be that of an equal query.
enum ResponseEntry: Sendable {
    case alone(AdmissionEntry)
    /// - Parameter hasJoined: false for the request that waited first.
    case shared(SharedRead, hasJoined: Bool, by: Admission)

    /// Executes the operation once it is admitted, or awaits the response of the execution that it shares.
    /// - Throws: as `AdmissionEntry.run` does.
    func response(_ execute: @escaping @Sendable () async throws -> Response) async throws -> Response {
        switch self {
        case .alone(let entry): return try await entry.run(execute)
        case .shared(let read, let hasJoined, let admission):
            do {
                return try await read.response {
                    try await AdmissionEntry.waits(read.wait, by: admission).run(execute)
                }
            } catch let error as RequestError where Overload.isTold(by: error.errors) {
                guard hasJoined else { throw error }
                admission.countShed(read.wait.requestClass)
                // The new refusal has a random wait of its own before a retry.
                throw Overload.refusal
            }
        }
    }
}

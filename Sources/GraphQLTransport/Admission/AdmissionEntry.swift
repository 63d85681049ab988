import GraphQL

/// The result of admission for an operation that is not refused.
enum AdmissionEntry: Sendable {
    /// The operation needs no admission: the server admits every operation, or the request asks only for a check.
    case unlimited
    case admitted(RequestClass, by: Admission)
    case waits(AdmissionWait, by: Admission)

    /// Runs the operation once it is admitted, and gives its place back.
    /// - Throws: `RequestError` where the operation has waited too long, `CancellationError` where its task is
    ///   cancelled before that, and the errors of the body.
    func run<Result>(_ body: () async throws -> Result) async throws -> Result {
        switch self {
        case .unlimited: return try await body()
        case .admitted(let requestClass, let admission):
            defer { admission.leave(requestClass) }
            return try await body()
        case .waits(let wait, let admission):
            switch await wait.outcome() {
            case .admitted: break
            case .shed: throw Overload.refusal
            case .cancelled: throw CancellationError()
            }
            defer { admission.leave(wait.requestClass) }
            return try await body()
        }
    }
}

import GraphQL
import NIOHTTP1

/// The errors of a request that the server does not execute, or gives up, because it has more to do than it can.
enum Overload {
    /// The waits before a retry, in seconds. Each refusal takes one at random, so that clients that were refused
    /// together do not come back together.
    private static let waits = 1...4

    static func error(_ message: String) -> GraphQLError {
        let wait = InputValue.int(.random(in: waits))
        return ExecutionError(message, code: .overloaded, extensions: [(name: "retryAfter", value: wait)]).requestError
    }

    static var refusal: RequestError { RequestError([error("The server has too much to do. Try again soon.")]) }

    /// True where the errors are a refusal by overload.
    static func isTold(by errors: [GraphQLError]) -> Bool {
        errors.count == 1 && errors[0].code == ErrorCode.overloaded.rawValue
    }

    /// The refusal that is sent instead of a response with the error OVERLOADED. An admitted operation gets this error
    /// where a later queue is full, such as that of a database pool. nil for a response without the error, and for a
    /// mutation that may have written: one with several root fields, or whose root field has succeeded.
    static func refusal(_ response: GraphQL.Response, to type: OperationType, rootFields: Int?) -> RequestError? {
        guard !response.errors.isEmpty, type == .query || rootFields == 1,
            let error = response.errors.first(where: { $0.code == ErrorCode.overloaded.rawValue }),
            type == .query || error.path.count == 1
        else { return nil }
        return RequestError([GraphQLError(error.message, extensions: error.extensions)])
    }
}

extension GraphQLAnswer {
    /// The answer to a request while there are too many connections, or too many requests of its address.
    static func overloaded(_ message: String) -> GraphQLAnswer {
        let errors = [Overload.error(message)]
        var answer = GraphQLAnswer(
            status: .serviceUnavailable, contentType: GraphQLMediaType.json.contentType,
            headers: RefusalStatus.retryAfter(errors), errors: errors)
        answer.isOverLimit = true
        return answer
    }
}

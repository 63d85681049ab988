import GraphQL
import NIOHTTP1

/// The refusal of a request because the server has more to do than it can.
enum Overload {
    /// In seconds. They differ, so that clients which were refused together do not come back together.
    private static let waits = 1...4

    static func error(_ message: String) -> GraphQLError {
        let wait = InputValue.int(.random(in: waits))
        return ExecutionError(message, code: .overloaded, extensions: [(name: "retryAfter", value: wait)]).requestError
    }

    static var refusal: RequestError { RequestError([error("The server has too much to do. Try again soon.")]) }

    /// Whether errors are such a refusal.
    static func isTold(by errors: [GraphQLError]) -> Bool {
        errors.count == 1 && errors[0].code == ErrorCode.overloaded.rawValue
    }

    /// The refusal of an operation for which a queue behind admission had no room; nil for every other response. What a
    /// mutation has done is not refused.
    static func refusal(_ response: GraphQL.Response, to type: OperationType, rootFields: Int?) -> RequestError? {
        guard !response.errors.isEmpty, type == .query || rootFields == 1,
            let error = response.errors.first(where: { $0.code == ErrorCode.overloaded.rawValue }),
            type == .query || error.path.count == 1
        else { return nil }
        return RequestError([GraphQLError(error.message, extensions: error.extensions)])
    }
}

extension GraphQLAnswer {
    /// The answer to a request beyond the limits of connections.
    static func overloaded(_ message: String) -> GraphQLAnswer {
        let errors = [Overload.error(message)]
        var answer = GraphQLAnswer(
            status: .serviceUnavailable, contentType: GraphQLMediaType.json.contentType,
            headers: RefusalStatus.retryAfter(errors), errors: errors)
        answer.isOverLimit = true
        return answer
    }
}

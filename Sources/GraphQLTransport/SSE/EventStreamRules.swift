import NIOHTTP1

/// The rules for the head of a request of single connection mode.
/// graphql-sse, Single connection mode
enum EventStreamRules {
    static func refusal(of head: RequestHead, by endpoint: any GraphQLEndpoint) -> GraphQLAnswer? {
        switch head.method {
        case .PUT: return head.accepted.takesText ? nil : .refusal(.notAcceptable, "The answer is text/plain.")
        case .GET: return opensStream(head) ? nil : refusalOfOperation(head)
        case .POST: return endpoint.refusal(of: head) ?? refusalOfOperation(head)
        case .DELETE: return nil
        default:
            return .refusal(
                .methodNotAllowed, "Use PUT, GET, POST or DELETE.", headers: [("Allow", "GET, POST, PUT, DELETE")])
        }
    }

    static func opensStream(_ head: RequestHead) -> Bool { head.method == .GET && head.accepted.prefersEventStream }

    /// The value of `X-GraphQL-Event-Stream-Token`, or of `token` in the address, since an EventSource can set no
    /// header.
    static func token(of head: RequestHead) -> String? {
        head["x-graphql-event-stream-token"] ?? (try? QueryString(head.query))?["token"]
    }

    private static func refusalOfOperation(_ head: RequestHead) -> GraphQLAnswer? {
        if head.accepted.mediaType != nil { return nil }
        return .refusal(.notAcceptable, "The answer is application/json; results go over the stream.")
    }
}

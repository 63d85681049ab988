import NIOHTTP1

/// The handler of a request, chosen when the request's head has come and before its body is read.
enum RequestDestination {
    /// The request is answered at once and the socket closed, since its body is not worth reading.
    case refusal(GraphQLAnswer)
    /// The GraphQL endpoint, also for a request that is answered without its body. Such an answer is sent after the
    /// whole body has come, because many clients read the answer only after they have written the body.
    case endpoint(RequestBodyReader)
    /// graphql-sse, Single connection mode
    case eventStreams(RequestBodyReader)
    case webSocket
    case router

    /// - Parameter isWithinLimits: counts the request, and returns whether the client is within its limit of requests
    ///   under way. It is called at most once, and not for a request that is refused before.
    init(
        of head: RequestHead, _ environment: TransportEnvironment, isOverflow: Bool, isDraining: Bool,
        isWithinLimits: () -> Bool
    ) {
        if !head.isHTTP10 && head.hostCount != 1 {
            self = .refusal(.refusal(.badRequest, "A request names its host once."))
        } else if head.hasUnknownTransferCoding {
            self = .refusal(.refusal(.notImplemented, "The only transfer coding is chunked."))
        } else if isOverflow && !OperationalRoutes.probes.contains(where: head.isFor) {
            self = .refusal(.overloaded("There are too many connections."))
        } else if !isWithinLimits() {
            let refusal = GraphQLAnswer.overloaded("There are too many requests under way from this address.")
            self = .endpoint(RequestBodyReader(of: head, environment, refusal: refusal))
        } else if let preflight = environment.settings.crossOrigin.preflightAnswer(to: head) {
            self = .endpoint(RequestBodyReader(of: head, environment, refusal: preflight))
        } else if head.isFor(environment.settings.eventStreamPath) {
            let refusal = EventStreamRules.refusal(of: head, by: environment.endpoint)
            self = Self.body(of: head, refusal, environment) { .eventStreams($0) }
        } else if !head.isFor(environment.settings.path) {
            self = .router
        } else if WebSocketHandshake.isAskedFor(by: head) {
            self = Self.webSocket(head, environment, isDraining: isDraining)
        } else {
            let refusal = environment.endpoint.refusal(of: head)
            self = Self.body(of: head, refusal, environment) { .endpoint($0) }
        }
    }

    private static func body(
        of head: RequestHead, _ refusal: GraphQLAnswer?, _ environment: TransportEnvironment,
        _ destination: (RequestBodyReader) -> RequestDestination
    ) -> RequestDestination {
        let body = RequestBodyReader(of: head, environment, refusal: refusal)
        return body.refusal(ofLength: head.contentLength).map(RequestDestination.refusal) ?? destination(body)
    }

    private static func webSocket(
        _ head: RequestHead, _ environment: TransportEnvironment, isDraining: Bool
    ) -> RequestDestination {
        let refusal =
            isDraining
            ? GraphQLAnswer.refusal(.serviceUnavailable, "The server stops.", code: .unavailable)
            : WebSocketHandshake(crossOrigin: environment.settings.crossOrigin).refusal(of: head)
        guard let refusal else { return .webSocket }
        return .endpoint(RequestBodyReader(of: head, environment, refusal: refusal))
    }
}

import GraphQL
import NIOCore

/// How a response that goes on is written.
enum StreamFormat {
    /// Server-sent events, in distinct connections mode: any operation.
    case eventStream
    /// Apollo's: subscriptions alone.
    case multipart

    /// Whether the client names one of them; `*/*` is no wish for a stream.
    static func isNamed(accept: String) -> Bool {
        accept.contains("text/event-stream") || accept.contains("ubscription")
    }

    static func isAcceptable(_ accept: String) -> Bool {
        isNamed(accept: accept) && AcceptHeader(accept).preferred(among: [Offer.eventStream, .multipart]) != nil
    }

    /// What the client wants for this operation; nil for an answer in one piece.
    /// - Parameter type: asked for where it makes a difference.
    static func preferred(accept: String, type: () -> OperationType?) -> StreamFormat? {
        let accept = AcceptHeader(accept)
        switch accept.preferred(among: Offer.allCases) {
        case .eventStream?: return .eventStream
        case .multipart?, .json?, .graphQLResponse?, nil: break
        }
        // A subscription has no answer in one piece.
        guard type() == .subscription else { return nil }
        switch accept.preferred(among: [Offer.eventStream, .multipart]) {
        case .eventStream?: return .eventStream
        case .multipart?: return .multipart
        default: return nil
        }
    }

    private enum Offer: RepresentationOffer, CaseIterable {
        case json, graphQLResponse, eventStream, multipart

        var mediaType: (type: String, subtype: String) {
            switch self {
            case .json: GraphQLMediaType.json.mediaType
            case .graphQLResponse: GraphQLMediaType.graphQLResponse.mediaType
            case .eventStream: ("text", "event-stream")
            case .multipart: ("multipart", "mixed")
            }
        }

        /// Other specifications share the type, and differ in a parameter.
        func isCovered(by range: MediaType) -> Bool {
            switch self {
            case .multipart: range[parameter: "subscriptionspec"] == "1.0"
            case .json, .graphQLResponse, .eventStream: true
            }
        }
    }

    var contentType: String {
        switch self {
        case .eventStream: "text/event-stream; charset=utf-8"
        case .multipart: "multipart/mixed;boundary=graphql;subscriptionSpec=1.0"
        }
    }

    var opening: ByteBuffer {
        switch self {
        case .eventStream: EventStreamMessage.keepAlive
        case .multipart: SubscriptionPart.opening
        }
    }

    func next(_ response: GraphQL.Response) -> ByteBuffer {
        switch self {
        case .eventStream: EventStreamMessage.next(response)
        case .multipart: SubscriptionPart.next(response)
        }
    }

    /// Why there is nothing more to come.
    func failure(_ errors: [GraphQLError]) -> ByteBuffer {
        switch self {
        case .eventStream: EventStreamMessage.next(GraphQL.Response(RequestError(errors)))
        case .multipart: SubscriptionPart.failure(errors)
        }
    }

    var completion: ByteBuffer {
        switch self {
        case .eventStream: EventStreamMessage.complete
        case .multipart: SubscriptionPart.closing
        }
    }

    var keepAlive: ByteBuffer {
        switch self {
        case .eventStream: EventStreamMessage.keepAlive
        case .multipart: SubscriptionPart.heartbeat
        }
    }
}

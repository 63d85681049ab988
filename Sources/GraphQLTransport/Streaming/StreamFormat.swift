import GraphQL
import NIOCore

/// How a response that goes on is written.
enum StreamFormat: Equatable {
    /// Server-sent events, in distinct connections mode: any operation.
    case eventStream
    /// Apollo's: subscriptions alone.
    case multipart
    /// Incremental delivery: a part for each payload of a query or mutation.
    case incremental(IncrementalFormat)

    /// Whether the client names one of them; `*/*` is no wish for a stream.
    static func isNamed(accept: String) -> Bool {
        accept.contains("text/event-stream") || accept.contains("ultipart/mixed") || accept.contains("ubscription")
    }

    static func isAcceptable(_ accept: String) -> Bool {
        isNamed(accept: accept)
            && AcceptHeader(accept).preferred(among: [Offer.eventStream, .multipart, .incremental, .deferSpec]) != nil
    }

    /// What the client wants for this operation; nil for an answer in one piece.
    /// - Parameter type: asked for where it makes a difference, like the other.
    /// - Parameter isIncremental: whether the response may come in several parts.
    static func preferred(
        accept: String, type: () -> OperationType?, isIncremental: () -> Bool = { false }
    ) -> StreamFormat? {
        let accept = AcceptHeader(accept)
        if case .eventStream? = accept.preferred(among: Offer.allCases) { return .eventStream }
        // A subscription has no answer in one piece.
        if type() == .subscription { return accept.preferred(among: [Offer.eventStream, .multipart])?.format }
        // Who names such a type takes parts, and gets them where there are any.
        let takesOnePiece = accept.preferred(among: [Offer.json, .graphQLResponse]) != nil
        if takesOnePiece && !isIncremental() { return nil }
        return accept.preferred(among: [Offer.incremental, .deferSpec])?.format
    }

    private enum Offer: RepresentationOffer, CaseIterable {
        case json, graphQLResponse, eventStream, multipart, incremental, deferSpec

        var format: StreamFormat? {
            switch self {
            case .json, .graphQLResponse: nil
            case .eventStream: .eventStream
            case .multipart: .multipart
            case .incremental: .incremental(.current)
            case .deferSpec: .incremental(.deferSpec20220824)
            }
        }

        var mediaType: (type: String, subtype: String) {
            switch self {
            case .json: GraphQLMediaType.json.mediaType
            case .graphQLResponse: GraphQLMediaType.graphQLResponse.mediaType
            case .eventStream: ("text", "event-stream")
            case .multipart, .incremental, .deferSpec: ("multipart", "mixed")
            }
        }

        /// Other specifications share the type, and differ in a parameter.
        func isCovered(by range: MediaType) -> Bool {
            switch self {
            case .multipart: range[parameter: "subscriptionspec"] == "1.0"
            case .deferSpec: range[parameter: "deferspec"] == "20220824"
            case .incremental:
                range.type == "multipart" && range[parameter: "incrementalspec"].map { $0 == "v0.2" } ?? true
                    && range[parameter: "subscriptionspec"] == nil && range[parameter: "deferspec"] == nil
            case .json, .graphQLResponse, .eventStream: true
            }
        }
    }

    /// Of a response in several parts.
    var incrementalFormat: IncrementalFormat {
        if case .incremental(let format) = self { format } else { .current }
    }

    var contentType: String {
        switch self {
        case .eventStream: "text/event-stream; charset=utf-8"
        case .multipart: "multipart/mixed;boundary=graphql;subscriptionSpec=1.0"
        case .incremental(.current): "multipart/mixed;boundary=\"-\";incrementalSpec=v0.2"
        case .incremental(.deferSpec20220824): "multipart/mixed;boundary=\"-\";deferSpec=20220824"
        }
    }

    var opening: ByteBuffer {
        switch self {
        case .eventStream: EventStreamMessage.keepAlive
        case .multipart: SubscriptionPart.opening
        case .incremental: IncrementalPart.opening
        }
    }

    func next(_ response: GraphQL.Response) -> ByteBuffer {
        switch self {
        case .eventStream: EventStreamMessage.next(response)
        case .multipart: SubscriptionPart.next(response)
        case .incremental: IncrementalPart.next(response)
        }
    }

    /// Why there is nothing more to come.
    func failure(_ errors: [GraphQLError]) -> ByteBuffer {
        switch self {
        case .eventStream: EventStreamMessage.next(GraphQL.Response(RequestError(errors)))
        case .multipart: SubscriptionPart.failure(errors)
        case .incremental: IncrementalPart.failure(errors)
        }
    }

    var completion: ByteBuffer {
        switch self {
        case .eventStream: EventStreamMessage.complete
        case .multipart: SubscriptionPart.closing
        case .incremental: IncrementalPart.closing
        }
    }

    /// nil where the protocol has none, and is not waited for so long.
    /// - Parameter position: where a client goes on that has got everything so far.
    func keepAlive(at position: String?) -> ByteBuffer? {
        switch self {
        case .eventStream: position.map(EventStreamMessage.keepAlive(at:)) ?? EventStreamMessage.keepAlive
        case .multipart: SubscriptionPart.heartbeat
        case .incremental: nil
        }
    }
}

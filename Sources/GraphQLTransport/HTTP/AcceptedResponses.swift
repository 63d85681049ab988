import GraphQL

/// The response types that a client accepts, parsed once from its Accept header.
/// RFC 9110, 12.5.1 Accept
final class AcceptedResponses: Sendable {
    /// The type of an answer in one piece; nil where the client accepts none. Without an Accept header it is
    /// `application/json`.
    /// GraphQL over HTTP: 4.1.1 Legacy Watershed
    let mediaType: GraphQLMediaType?
    /// True where a browser asks for a page: `text/html` is named, and no type of GraphQL's is preferred to it.
    let prefersPage: Bool
    let takesText: Bool
    /// True where the client names the type of a stream; `*/*` names none.
    let namesStream: Bool
    /// True where the client names a stream in a format that the server has.
    let takesStream: Bool
    let prefersEventStream: Bool
    private let subscriptionFormat: StreamFormat?
    private let partsFormat: StreamFormat?

    init(_ accept: String?) {
        let accept = accept ?? ""
        let header = AcceptHeader(accept.isEmpty ? "*/*" : accept)
        mediaType = header.preferred(among: GraphQLMediaType.allCases)
        takesText = header.preferred(among: [TextOffer.plain]) != nil
        let names = accept.lowercased()
        prefersPage = names.contains("text/html") && header.preferred(among: PageOffer.allCases) == .page
        namesStream =
            names.contains("text/event-stream") || names.contains("multipart/mixed") || names.contains("subscription")
        prefersEventStream = header.preferred(among: StreamOffer.allCases) == .eventStream
        takesStream =
            namesStream
            && header.preferred(among: [StreamOffer.eventStream, .multipart, .incremental, .deferSpec]) != nil
        subscriptionFormat = header.preferred(among: [StreamOffer.eventStream, .multipart])?.format
        partsFormat = header.preferred(among: [StreamOffer.incremental, .deferSpec])?.format
    }

    private init(_ mediaType: GraphQLMediaType, takesText: Bool) {
        self.mediaType = mediaType
        self.takesText = takesText
        prefersPage = false
        namesStream = false
        takesStream = false
        prefersEventStream = false
        subscriptionFormat = nil
        partsFormat = nil
    }

    private static let any = AcceptedResponses(.json, takesText: true)
    private static let json = AcceptedResponses(.json, takesText: false)
    private static let graphQLResponse = AcceptedResponses(.graphQLResponse, takesText: false)

    /// The value for the most frequent Accept headers, without parsing; nil for any other header.
    static func common(_ accept: String?) -> AcceptedResponses? {
        switch accept {
        case nil, "*/*"?, ""?: any
        case "application/json"?: json
        case "application/graphql-response+json"?: graphQLResponse
        default: nil
        }
    }

    /// The format of the stream that the client wants; nil for an answer in one piece.
    /// - Parameter type: the type of the operation.
    /// - Parameter isIncremental: whether the response may come in several parts.
    func streamFormat(of type: OperationType, isIncremental: Bool = false) -> StreamFormat? {
        if prefersEventStream { return .eventStream }
        // A subscription has no answer in one piece.
        if type == .subscription { return subscriptionFormat }
        // A client that accepts parts gets them if the response may have several, or if it accepts no answer in one
        // piece.
        if mediaType != nil && !isIncremental { return nil }
        return partsFormat
    }
}

private enum TextOffer: RepresentationOffer {
    case plain

    var mediaType: (type: String, subtype: String) { ("text", "plain") }
}

private enum PageOffer: RepresentationOffer, CaseIterable {
    case page, json, graphQLResponse

    var mediaType: (type: String, subtype: String) {
        switch self {
        case .page: ("text", "html")
        case .json: GraphQLMediaType.json.mediaType
        case .graphQLResponse: GraphQLMediaType.graphQLResponse.mediaType
        }
    }
}

private enum StreamOffer: RepresentationOffer, CaseIterable {
    case json, graphQLResponse, eventStream, multipart, incremental, deferSpec

    var format: StreamFormat? {
        switch self {
        case .json, .graphQLResponse: nil
        case .eventStream: .eventStream
        case .multipart: .multipart
        case .incremental: .incremental(.current)
        case .deferSpec: .incremental(.deferSpec)
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

    /// Three specifications share the type `multipart/mixed` and differ in its parameters.
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

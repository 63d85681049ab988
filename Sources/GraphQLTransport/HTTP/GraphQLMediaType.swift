/// The two media types of a GraphQL response that is sent whole.
/// GraphQL over HTTP: 4.1 Media Types
enum GraphQLMediaType: RepresentationOffer, CaseIterable {
    /// `application/json`, for clients that expect 200 for every well-formed request.
    case json
    /// `application/graphql-response+json`, where the status tells a refusal from a result.
    case graphQLResponse

    var mediaType: (type: String, subtype: String) {
        switch self {
        case .json: ("application", "json")
        case .graphQLResponse: ("application", "graphql-response+json")
        }
    }

    /// The value of Content-Type.
    var contentType: String {
        switch self {
        case .json: "application/json; charset=utf-8"
        case .graphQLResponse: "application/graphql-response+json; charset=utf-8"
        }
    }

    /// nil where the client accepts neither. A client that says nothing gets `application/json`.
    /// GraphQL over HTTP: 4.1.1 Legacy Watershed
    static func preferred(accept: String?) -> GraphQLMediaType? {
        guard let accept else { return .json }
        switch accept {
        case "*/*", "application/json", "": return .json
        case "application/graphql-response+json": return .graphQLResponse
        default: return AcceptHeader(accept).preferred(among: allCases)
        }
    }
}

/// Whether a browser asks for a page: `text/html` is named, and no type of GraphQL's is preferred to it.
func prefersHTML(accept: String?) -> Bool {
    guard let accept, accept.contains("text/html") else { return false }
    return AcceptHeader(accept).preferred(among: PageOffer.allCases) == .page
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

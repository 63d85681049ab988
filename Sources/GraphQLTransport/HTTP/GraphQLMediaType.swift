/// The two media types of a GraphQL response that is sent whole.
/// GraphQL over HTTP: 4.1 Media Types
enum GraphQLMediaType: RepresentationOffer, CaseIterable {
    /// `application/json`, for clients that expect 200 for every well-formed request.
    case json
    /// `application/graphql-response+json`, where the status distinguishes a refusal from a result.
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
}

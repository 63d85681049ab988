import NIOHTTP1

/// The rules for the head of a request to the endpoint.
/// GraphQL over HTTP: 5 Request
enum RequestRules {
    /// - Parameter hasPage: whether the endpoint answers a browser with a page.
    static func refusal(of head: RequestHead, hasPage: Bool, takesUploads: Bool) -> GraphQLAnswer? {
        switch head.method {
        case .GET, .HEAD: return hasPage && head.accepted.prefersPage ? nil : refusalOfAccept(head)
        case .POST: return refusalOfContent(head, takesUploads) ?? refusalOfAccept(head)
        case .OPTIONS:
            return GraphQLAnswer(status: .noContent, contentType: "", headers: [("Allow", "GET, HEAD, POST")], body: [])
        default:
            return .refusal(
                .methodNotAllowed, "Use POST, or GET for a query.", headers: [("Allow", "GET, HEAD, POST")])
        }
    }

    /// Refuses the types that a page of another site can send without a preflight: text/plain, forms, no type at all.
    /// Fetch, 2.2.2 Headers, "CORS-safelisted request-header"
    private static func refusalOfContent(_ head: RequestHead, _ takesUploads: Bool) -> GraphQLAnswer? {
        guard let contentType = head.contentType else { return unsupportedType }
        if contentType == "application/json" && head.contentEncoding == nil { return nil }
        let type = MediaType(contentType)
        if takesUploads, type?.type == "multipart", head.contentEncoding == nil {
            return refusalOfUpload(head, contentType)
        }
        guard let type, type.type == "application", type.subtype == "json", type.isUTF8, head.contentEncoding == nil
        else { return unsupportedType }
        return nil
    }

    private static let unsupportedType = GraphQLAnswer.refusal(
        .unsupportedMediaType, "The body's type is application/json, in UTF-8.",
        headers: [("Accept-Post", "application/json")])

    /// Another site's form can send multipart/form-data, but none of these headers without a preflight.
    private static let preflightHeaders = [
        "GraphQL-Require-Preflight", "Apollo-Require-Preflight", "X-Apollo-Operation-Name", "Authorization",
    ]

    private static func refusalOfUpload(_ head: RequestHead, _ contentType: String) -> GraphQLAnswer? {
        guard MultipartBoundary(contentType: contentType) != nil else {
            return .refusal(
                .unsupportedMediaType, "An upload's type is multipart/form-data with a boundary of 1 to 70 characters.")
        }
        if preflightHeaders.contains(where: { head[$0].map { !$0.isEmpty } ?? false }) { return nil }
        return .refusal(.badRequest, "An upload has one of the headers \(preflightHeaders.joined(separator: ", ")).")
    }

    private static func refusalOfAccept(_ head: RequestHead) -> GraphQLAnswer? {
        if head.accepted.mediaType != nil || head.accepted.takesStream { return nil }
        return .refusal(
            .notAcceptable, "The answer is application/graphql-response+json or application/json, in UTF-8.")
    }
}

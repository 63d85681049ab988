/// The origins whose pages may read the answers. The API has no cookies, so credentials are never allowed.
/// Fetch, 3.3 CORS protocol
public struct CrossOriginPolicy: Sendable {
    public enum Origins: Sendable, Equatable {
        case none
        /// Origins in the form `scheme://host[:port]`, compared character by character.
        case listed(Set<String>)
        case any
    }

    public var origins: Origins
    /// Request headers that a page may set besides those in `requestHeaders`.
    public var additionalHeaders: [String]
    /// Response headers that a page may read besides `X-Request-Id`.
    public var exposedHeaders: [String]
    /// How long a browser may remember a preflight's answer.
    public var maxAge: Duration

    public init(
        origins: Origins = .none, additionalHeaders: [String] = [], exposedHeaders: [String] = [],
        maxAge: Duration = .seconds(7_200)
    ) {
        self.origins = origins
        self.additionalHeaders = additionalHeaders
        self.exposedHeaders = exposedHeaders
        self.maxAge = maxAge
    }

    /// The value of `Access-Control-Allow-Origin`; nil where the page may not read the answer.
    func allowedOrigin(_ origin: String?) -> String? {
        guard let origin else { return nil }
        switch origins {
        case .none: return nil
        case .any: return "*"
        case .listed(let origins): return origins.contains(origin) ? origin : nil
        }
    }

    /// True where the answer depends on the request's origin, so that caches must distinguish origins.
    var variesByOrigin: Bool { if case .listed = origins { true } else { false } }

    /// The CORS headers of every answer to a request from this origin.
    func headers(origin: String?) -> [(name: String, value: String)] {
        var headers = [(name: String, value: String)]()
        if variesByOrigin { headers.append(("Vary", "Origin")) }
        if let allowed = allowedOrigin(origin) {
            headers.append(("Access-Control-Allow-Origin", allowed))
            headers.append(
                ("Access-Control-Expose-Headers", (["X-Request-Id"] + exposedHeaders).joined(separator: ", ")))
        }
        return headers
    }

    /// The answer to a preflight; nil for any other request.
    func preflightAnswer(to head: RequestHead) -> GraphQLAnswer? {
        guard head.method == .OPTIONS, head.origin != nil, head["access-control-request-method"] != nil else {
            return nil
        }
        return GraphQLAnswer(
            status: .noContent, contentType: "", headers: preflightHeaders(origin: head.origin), body: [])
    }

    /// The headers of a preflight's answer besides `headers(origin:)`. The allowed origin is not repeated here, because
    /// a browser refuses an answer that names it twice. The headers do not depend on the method and headers that the
    /// preflight asks for, so a browser's cached answer serves requests with other methods and headers as well.
    func preflightHeaders(origin: String?) -> [(name: String, value: String)] {
        guard allowedOrigin(origin) != nil else { return [] }
        return [
            ("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE"),
            ("Access-Control-Allow-Headers", (Self.requestHeaders + additionalHeaders).joined(separator: ", ")),
            ("Access-Control-Max-Age", "\(maxAge.components.seconds)"),
        ]
    }

    private static let requestHeaders = [
        "Authorization", "Content-Type", "X-Request-Id", "traceparent", "tracestate", "Last-Event-ID",
        "GraphQL-Require-Preflight", "Apollo-Require-Preflight", "X-Apollo-Operation-Name",
        "X-GraphQL-Event-Stream-Token",
    ]
}

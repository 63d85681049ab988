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
    /// The origin of the server's own pages, which may open WebSockets; nil: the origin that the request's Host names.
    public var ownOrigin: WebOrigin?
    /// Response headers that a page may read beside `X-Request-Id`.
    public var exposedHeaders: [String]
    /// How long a browser may remember a preflight's answer.
    public var maxAge: Duration

    public init(
        origins: Origins = .none, ownOrigin: WebOrigin? = nil, exposedHeaders: [String] = [],
        maxAge: Duration = .seconds(7_200)
    ) {
        self.origins = origins
        self.ownOrigin = ownOrigin
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

    /// Whether the answer depends on the request's origin, so that caches must distinguish them.
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
        return GraphQLAnswer(status: .noContent, contentType: "", headers: preflightHeaders(of: head), body: [])
    }

    /// The headers of a preflight's answer besides `headers(origin:)`: a browser refuses an answer that names the
    /// allowed origin twice. An allowed page may set every header: the API has no cookies, so no header acts for the user
    /// unless the page has the token.
    private func preflightHeaders(of head: RequestHead) -> [(name: String, value: String)] {
        guard allowedOrigin(head.origin) != nil else { return [] }
        let names = Self.requestedHeaders(head.values("access-control-request-headers"))
        return [
            ("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE"),
            ("Access-Control-Max-Age", "\(maxAge.components.seconds)"),
            ("Vary", "Access-Control-Request-Headers"),
        ] + (names.isEmpty ? [] : [("Access-Control-Allow-Headers", names)])
    }

    /// The greatest number of names in a preflight's answer, and the greatest length of the list in bytes.
    private static let maximumRequestedHeaders = (count: 32, bytes: 1_024)

    /// The tokens among the names that a preflight asks for; empty where they are too many.
    private static func requestedHeaders(_ lines: [String]) -> String {
        let list = lines.joined(separator: ",")
        guard list.utf8.count <= maximumRequestedHeaders.bytes else { return "" }
        let names = list.split(separator: ",").map(trimmed).filter(isToken)
        return names.count <= maximumRequestedHeaders.count ? names.joined(separator: ", ") : ""
    }
}

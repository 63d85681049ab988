import App

/// The response headers about the rates that counted a request.
/// Source: draft-ietf-httpapi-ratelimit-headers-10, RateLimit and RateLimit-Policy; RFC 9651, Lists of Items
struct RateLimitFields {
    static let names = ["RateLimit", "RateLimit-Policy"]

    let headers: [(name: String, value: String)]

    init(_ uses: [RateUse]) {
        guard !uses.isEmpty else {
            headers = []
            return
        }
        let left = uses.map { "\"\($0.rate.name)\";r=\($0.remaining);t=\(max(1, Int($0.next.rounded(.up))))" }
        let policies = uses.map { "\"\($0.rate.name)\";q=\($0.rate.quota);w=\($0.rate.window)" }
        headers = zip(Self.names, [left, policies]).map { (name: $0, value: $1.joined(separator: ", ")) }
    }
}

/// The origin of a page: scheme, host and port.
/// RFC 6454, 4 Origin of a URI
public struct WebOrigin: Sendable, Equatable {
    private let scheme: String
    private let host: String
    /// nil for the scheme's own port.
    private let port: String?

    /// - Parameter url: an http or https URL, or an origin as browsers write it. User, path and query are left out.
    public init?(_ url: String) {
        guard let separator = url.firstRange(of: "://") else { return nil }
        scheme = url[..<separator.lowerBound].lowercased()
        var authority = url[separator.upperBound...].prefix { !"/?#".contains($0) }
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        // The colons of an IPv6 address are in brackets.
        let colon = authority.lastIndex(of: ":").flatMap { authority[$0...].contains("]") ? nil : $0 }
        let name = authority[..<(colon ?? authority.endIndex)].lowercased()
        // A developer opens the playground by any of these names.
        host = ["127.0.0.1", "[::1]"].contains(name) ? "localhost" : name
        let digits = colon.map { String(authority[authority.index(after: $0)...]) } ?? ""
        let standard = scheme == "https" ? "443" : "80"
        port = digits.isEmpty || digits == standard ? nil : digits
        if host.isEmpty || !["http", "https"].contains(scheme) || !digits.allSatisfy(\.isWholeNumber) { return nil }
    }

    private init(scheme: String, host: String, port: String?) {
        (self.scheme, self.host, self.port) = (scheme, host, port)
    }

    /// The origin with another spelling of its host; nil where `respell` has none.
    public func mapHost(_ respell: (String) -> String?) -> WebOrigin? {
        respell(host).map { WebOrigin(scheme: scheme, host: $0, port: port) }
    }
}

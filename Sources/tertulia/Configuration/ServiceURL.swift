/// An address that may hold a password: `postgresql://user:password@host/database`, `smtp://…`.
struct ServiceURL: Sendable, Equatable {
    let text: String
    let scheme: String

    /// RFC 3986, section 3.1: the scheme is case-insensitive.
    init?(_ text: String, schemes: Set<String>) {
        guard let separator = text.firstRange(of: "://"), separator.upperBound < text.endIndex else { return nil }
        let scheme = text[..<separator.lowerBound].lowercased()
        guard schemes.contains(scheme), !text.contains(where: \.isWhitespace) else { return nil }
        self.text = text
        self.scheme = scheme
    }

    /// The addresses of a list that is separated by commas, empty for "none"; nil if one of them is no address, or if
    /// two are of the same place.
    static func list(_ text: String, schemes: Set<String>) -> [ServiceURL]? {
        if text == "none" { return [] }
        let urls = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            ServiceURL(String(part.trimmingPrefix { $0 == " " }), schemes: schemes)
        }
        let found = urls.compactMap { $0 }
        return found.count == urls.count && Set(found.map(\.place)).count == found.count ? found : nil
    }

    /// The host and the port as the URL names them, without the secrets around them.
    var place: String {
        let text = masked
        let rest = text[(text.firstRange(of: "://")?.upperBound ?? text.startIndex)...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        guard host.isEmpty, let query = rest.firstIndex(of: "?") else { return host }
        // A URL without a host may name one in its query, such as the directory of a Unix socket.
        let parameters = rest[rest.index(after: query)...].split(separator: "&")
        return parameters.filter { $0.hasPrefix("host=") || $0.hasPrefix("port=") }
            .map { String($0.drop { $0 != "=" }.dropFirst()) }.joined(separator: ":")
    }

    /// The connection parameters whose values are secret.
    /// Source: PostgreSQL's manual, "Parameter Key Words"
    private static let secretParameters: Set<String> = [
        "password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key",
    ]

    /// The URL with `***` in place of the user's password and of the values of `secretParameters` in the query.
    var masked: String {
        guard let separator = text.firstRange(of: "://") else { return "***" }
        var rest = String(text[separator.upperBound...])
        let pathEnd = rest.firstIndex { $0 == "?" || $0 == "#" } ?? rest.endIndex
        // A password that is not percent-encoded may hold a slash: the last @ ends the user part.
        let at = rest[..<pathEnd].lastIndex(of: "@") ?? rest.lastIndex(of: "@")
        if let at, let colon = rest[..<at].firstIndex(of: ":") {
            rest.replaceSubrange(rest.index(after: colon)..<at, with: "***")
        }
        guard let query = rest.firstIndex(of: "?") else { return text[..<separator.upperBound] + rest }
        let parameters = rest[rest.index(after: query)...].split(separator: "&", omittingEmptySubsequences: false)
        let maskedParameters = parameters.map { parameter in
            let name = parameter.prefix { $0 != "=" }
            return Self.secretParameters.contains(name.lowercased()) ? "\(name)=***" : String(parameter)
        }
        return text[..<separator.upperBound] + rest[...query] + maskedParameters.joined(separator: "&")
    }
}

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

    /// The connection parameters whose values are secret.
    /// Source: PostgreSQL manual, 34.1.2 Parameter Key Words
    private static let secretParameters: Set<String> = ["password", "sslpassword"]

    /// The URL with `***` in place of the user's password and of the values of `secretParameters` in the query.
    var masked: String {
        guard let separator = text.firstRange(of: "://") else { return "***" }
        var rest = String(text[separator.upperBound...])
        let authorityEnd = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        // A password that is not percent-encoded may hold a slash: the last @ ends the user part.
        let at = rest[..<authorityEnd].lastIndex(of: "@") ?? rest.lastIndex(of: "@")
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

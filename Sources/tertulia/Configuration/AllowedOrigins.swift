import GraphQLTransport

/// The values of ALLOWED_ORIGINS: `none`, `*`, or a list separated by commas.
extension CrossOriginPolicy.Origins {
    init?(setting: String) {
        switch setting {
        case "none": self = .none
        case "*": self = .any
        default:
            let origins = setting.split(separator: ",", omittingEmptySubsequences: false)
                .map { String($0.drop { $0 == " " }) }
            guard origins.allSatisfy(Self.isOrigin) else { return nil }
            self = .listed(Set(origins))
        }
    }

    var setting: String {
        switch self {
        case .none: "none"
        case .any: "*"
        case .listed(let origins): origins.sorted().joined(separator: ",")
        }
    }

    /// RFC 6454, section 6.2: scheme, host and port, without a path.
    private static func isOrigin(_ text: String) -> Bool {
        guard ServiceURL(text, schemes: ["http", "https"]) != nil, let separator = text.firstRange(of: "://")
        else { return false }
        return !text[separator.upperBound...].contains { "/?#@".contains($0) }
    }
}

import Cryptography
import Mail

/// A value of SMTP_URL: `smtp://user:password@host:587?encryption=opportunistic&ca=/path/to/ca.pem`, or `smtps://host`,
/// where the connection begins with TLS.
struct SMTPAddress: Sendable {
    let service: ServiceURL
    private let url: String
    private let user: String?
    private let password: String?
    private let encryption: SMTPServer.Encryption
    private let authorities: String?

    /// nil for a text of another form, such as one with a path or with bad percent-encoding, and for an unknown
    /// parameter or an unknown value of `encryption`. The host and port are not checked.
    init?(_ text: String) {
        guard let service = ServiceURL(text, schemes: ["smtp", "smtps"]), let scheme = text.firstRange(of: "://")
        else { return nil }
        let parts = text[scheme.upperBound...].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var authority = parts[0].last == "/" ? parts[0].dropLast() : parts[0]
        var credentials: [String?] = []
        if let at = authority.lastIndex(of: "@") {
            credentials = authority[..<at].split(separator: ":", maxSplits: 1).map(Self.percentDecoded)
            authority = authority[authority.index(after: at)...]
        }
        guard !authority.isEmpty, !authority.contains("/"), credentials.allSatisfy({ $0 != nil }) else { return nil }
        var encryption = SMTPServer.Encryption.required
        var authorities: String?
        for parameter in parts.count > 1 ? parts[1].split(separator: "&") : [] {
            let sides = parameter.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, let value = Self.percentDecoded(sides[1]) else { return nil }
            switch sides[0] {
            case "encryption":
                guard let known = SMTPServer.Encryption(rawValue: value) else { return nil }
                encryption = known
            case "ca": authorities = value
            default: return nil
            }
        }
        self.service = service
        url = "\(service.scheme)://\(authority)"
        user = credentials.first ?? nil
        password = credentials.count > 1 ? credentials[1] : nil
        self.encryption = encryption
        self.authorities = authorities
    }

    var server: SMTPServer {
        SMTPServer(url: url, user: user, password: password, encryption: encryption, authorities: authorities)
    }

    /// RFC 3986, section 2.1
    private static func percentDecoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let value = Hex.decode(rest.prefix(2))?.first else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

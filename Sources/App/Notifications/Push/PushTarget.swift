import Crypto
import Cryptography
import GraphQL
import Postgres

/// The address of a device at its push service.
public enum PushTarget: Sendable, Equatable {
    /// A browser's subscription: RFC 8030, and the keys of RFC 8291.
    case webPush(endpoint: String, p256dh: [UInt8], auth: [UInt8])
    case apns(deviceToken: String, topic: String, sandbox: Bool)
}

extension PushTarget {
    /// In bytes. The unique index on address and topic has room for 2,704 bytes an entry.
    private static let maximumAddressLength = 1024

    /// nil if the input is not valid, such as a point that is not on the curve or an endpoint that is not https.
    init?(_ input: InputObject, _ rules: PushEndpointRules) throws {
        if let web: InputObject = try input.decode("webPush") {
            let endpoint: String = try web.decode("endpoint")
            guard endpoint.utf8.count <= Self.maximumAddressLength, rules.allow(endpoint),
                let p256dh = Self.decoded(try web.decode("p256dh")),
                (try? P256.KeyAgreement.PublicKey(x963Representation: p256dh)) != nil,
                let auth = Self.decoded(try web.decode("auth")), auth.count == 16
            else { return nil }
            self = .webPush(endpoint: endpoint, p256dh: p256dh, auth: auth)
        } else {
            let apns: InputObject = try input.decode("apns")
            let token: String = try apns.decode("deviceToken")
            let topic: String = try apns.decode("topic")
            guard (32...100).contains(Hex.decode(token)?.count ?? 0), (1...255).contains(topic.utf8.count),
                topic.utf8.allSatisfy({ $0.isTopicCharacter })
            else { return nil }
            self = .apns(deviceToken: token.lowercased(), topic: topic, sandbox: try apns.decode("sandbox"))
        }
    }

    /// Decodes base64url, with or without padding: some libraries pad it.
    private static func decoded(_ text: String) -> [UInt8]? { Base64.url.decode(text.filter { $0 != "=" }) }
}

extension UInt8 {
    fileprivate var isTopicCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// True for a character of a host name, an address or a port. VAPID writes the authority into its claims as
    /// it is, so it must have no quotation mark.
    /// Source: RFC 3986, 3.2 Authority, without user information, percent signs and sub-delimiters
    fileprivate var isAuthorityCharacter: Bool {
        isTopicCharacter || [UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "_")].contains(self)
    }
}

/// The rules for endpoints that clients register. `PushClient` checks the addresses of the host's name when it sends.
public struct PushEndpointRules: Sendable {
    /// Allows any host and port, and HTTP: for tests and push services on premises.
    public var allowsPrivateAddresses = false

    public init() {}

    /// True if clients may register the endpoint: an https URL (RFC 8030, section 8) with a host name, which is no
    /// address, and without port and credentials.
    func allow(_ endpoint: String) -> Bool {
        // URL parsers disagree about backslashes.
        guard endpoint.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != 0x5C }), let scheme = endpoint.firstRange(of: "://")
        else { return false }
        let authority = endpoint[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if allowsPrivateAddresses {
            return ["http", "https"].contains(endpoint[..<scheme.lowerBound]) && !authority.isEmpty
                && authority.utf8.allSatisfy(\.isAuthorityCharacter)
        }
        guard endpoint.hasPrefix("https://") else { return false }
        let labels = authority.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, let top = labels.last else { return false }
        // The last label of an IPv4 address is a number in every notation, so it is refused here.
        return top.allSatisfy { $0.isLetter || $0 == "-" } && top.count > 1
            && !["local", "localhost", "internal", "lan", "home", "arpa", "onion"].contains(top.lowercased())
            && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } }
    }
}

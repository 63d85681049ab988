#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The network that rates count as one client: an IPv4 address, or an IPv6 /64, since one host can have every address
/// of it.
/// Source: RFC 4291, section 2.5.4, and RFC 6177
public struct ClientNetwork: Hashable, Sendable, CustomStringConvertible {
    /// `192.0.2.7` or `2001:db8:0:1::/64`. A text that is no address is kept as it is.
    public let description: String
    /// The /48 around an IPv6 network, `2001:db8:0::/48`: one customer may have its 65,536 networks. nil for IPv4.
    public let site: String?

    /// The number of networks for which a site as a whole may ask.
    public static let networksOfSite = 16

    /// - Parameter address: an IPv4 or IPv6 address as text, with or without a zone.
    public init(_ address: String) {
        // RFC 4007, section 11: a zone follows the percent sign.
        let text = String(address.prefix { $0 != "%" })
        guard let bytes = Self.ipv6(text) else {
            (description, site) = (Self.ipv4(text) ?? address, nil)
            return
        }
        if bytes.starts(with: Self.mapped) {
            (description, site) = (bytes[12...].map { String($0) }.joined(separator: "."), nil)
            return
        }
        let groups = stride(from: 0, to: 8, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
        description = groups.joined(separator: ":") + "::/64"
        site = groups.prefix(3).joined(separator: ":") + "::/48"
    }

    /// ::ffff:0:0/96, the addresses of IPv4 clients on an IPv6 socket. RFC 4291, section 2.5.5.2
    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

    private static func ipv6(_ text: String) -> [UInt8]? {
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        return withUnsafeBytes(of: &address) { Array($0) }
    }

    private static func ipv4(_ text: String) -> String? {
        var address = in_addr()
        guard inet_pton(AF_INET, text, &address) == 1 else { return nil }
        return withUnsafeBytes(of: &address) { $0.map { String($0) }.joined(separator: ".") }
    }
}

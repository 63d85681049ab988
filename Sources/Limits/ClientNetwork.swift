#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The addresses that limits count as one client: an IPv4 address, or an IPv6 /64, because one host can use every
/// address of its /64.
/// Source: RFC 4291, section 2.5.4, and RFC 6177
public struct ClientNetwork: Hashable, Sendable, CustomStringConvertible {
    private enum Network: Hashable {
        case v4(UInt32)
        case v6(UInt64)
        /// A text that is no address.
        case other(String)
    }

    private let network: Network

    /// The number of networks that a site counts as: all its networks together may ask for as much as this many.
    public static let networksOfSite = 16

    /// A text that is no address stands for itself.
    public init(_ address: String) { network = Self.network(of: address) ?? .other(address) }

    /// nil for a text that is no address.
    public init?(ipAddress: String) {
        guard let network = Self.network(of: ipAddress) else { return nil }
        self.network = network
    }

    /// `192.0.2.7` or `2001:db8:0:1::/64`.
    public var description: String {
        switch network {
        case .v4(let address):
            stride(from: 24, through: 0, by: -8).map { "\(address >> $0 & 0xFF)" }.joined(separator: ".")
        case .v6(let prefix): Self.groups(prefix, 4) + "::/64"
        case .other(let text): text
        }
    }

    /// The site of an IPv6 network, `2001:db8:0::/48`: one customer may have its 65,536 networks. nil for others.
    public var site: String? {
        if case .v6(let prefix) = network { Self.groups(prefix, 3) + "::/48" } else { nil }
    }

    private static func groups(_ prefix: UInt64, _ count: Int) -> String {
        stride(from: 48, through: 0, by: -16).prefix(count).map { String(prefix >> $0 & 0xFFFF, radix: 16) }
            .joined(separator: ":")
    }

    private static func network(of address: String) -> Network? {
        // RFC 4007, section 11: a zone follows the percent sign.
        let text = String(address.prefix { $0 != "%" })
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 { return .v4(UInt32(bigEndian: v4.s_addr)) }
        var v6 = in6_addr()
        guard inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
        return withUnsafeBytes(of: v6) { bytes in
            let high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
            let low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            // ::ffff:0:0/96, the addresses of IPv4 clients on an IPv6 socket: RFC 4291, section 2.5.5.2
            return high == 0 && low >> 32 == 0xFFFF ? .v4(UInt32(truncatingIfNeeded: low)) : .v6(high)
        }
    }
}

import Glibc
import NIOCore

/// What counts as one client: an IPv4 address, or the /64 that an IPv6 host can take any address of.
enum AddressPrefix: Hashable, Sendable {
    case v4(UInt32)
    case v6(UInt64)

    /// nil for what has no IP address.
    init?(_ address: SocketAddress?) {
        switch address {
        case .v4(let address): self = .v4(UInt32(bigEndian: address.address.sin_addr.s_addr))
        case .v6(let address): self.init(bytes: address.address.sin6_addr)
        case .unixDomainSocket, nil: return nil
        }
    }

    /// - Parameter text: as a header has it.
    init?(_ text: String) {
        guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
        self.init(address)
    }

    /// RFC 4291, 2.5.5.2: an IPv4-mapped address is the IPv4 host's.
    private init(bytes address: in6_addr) {
        self = withUnsafeBytes(of: address) { bytes in
            let high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
            let low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            return high == 0 && low >> 32 == 0xFFFF ? .v4(UInt32(truncatingIfNeeded: low)) : .v6(high)
        }
    }
}

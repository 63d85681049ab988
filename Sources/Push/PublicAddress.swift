/// Distinguishes addresses of the Internet from those of this machine, of private networks and of special purposes.
/// Source: IANA IPv4 and IPv6 Special-Purpose Address Registries
public enum PublicAddress {
    /// - Parameter bytes: the 4 or 16 bytes of an address, in network order.
    public static func isPublic(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4: !reservedIPv4.contains { $0.contains(bytes) }
        case 16:
            if bytes.starts(with: mapped) {
                isPublic(Array(bytes.suffix(4)))
            } else {
                // Global unicast is 2000::/3, in which `reservedIPv6` lists the ranges of special purpose.
                bytes[0] & 0xE0 == 0x20 && !reservedIPv6.contains { $0.contains(bytes) }
            }
        default: false
        }
    }

    /// ::ffff:0:0/96, IPv4-mapped addresses (RFC 4291, section 2.5.5.2).
    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

    private struct Network {
        let address: [UInt8]
        let prefix: Int

        func contains(_ bytes: [UInt8]) -> Bool {
            for (index, byte) in address.enumerated() {
                let bits = min(8, max(0, prefix - 8 * index))
                let mask = UInt8(truncatingIfNeeded: 0xFF00 >> bits)
                if (byte ^ bytes[index]) & mask != 0 { return false }
            }
            return true
        }
    }

    private static let reservedIPv4 = [
        Network(address: [0], prefix: 8), Network(address: [10], prefix: 8), Network(address: [100, 64], prefix: 10),
        Network(address: [127], prefix: 8), Network(address: [169, 254], prefix: 16),
        Network(address: [172, 16], prefix: 12), Network(address: [192, 0, 0], prefix: 24),
        Network(address: [192, 0, 2], prefix: 24), Network(address: [192, 88, 99], prefix: 24),
        Network(address: [192, 168], prefix: 16), Network(address: [198, 18], prefix: 15),
        Network(address: [198, 51, 100], prefix: 24), Network(address: [203, 0, 113], prefix: 24),
        // Multicast, reserved and broadcast.
        Network(address: [224], prefix: 3),
    ]

    private static let reservedIPv6 = [
        // 2001::/23 is for protocols such as Teredo and ORCHID; 2001:db8::/32 and 3fff::/20 are for documentation.
        // 2002::/16 is 6to4, whose addresses carry an IPv4 address.
        Network(address: [0x20, 0x01, 0x00], prefix: 23), Network(address: [0x20, 0x01, 0x0D, 0xB8], prefix: 32),
        Network(address: [0x20, 0x02], prefix: 16), Network(address: [0x3F, 0xFF, 0x00], prefix: 20),
    ]
}

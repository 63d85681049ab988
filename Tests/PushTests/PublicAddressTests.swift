import Push
import Testing

@Suite struct PublicAddressTests {
    static let reserved: [[UInt8]] = [
        [0, 0, 0, 0], [10, 1, 2, 3], [100, 64, 0, 1], [100, 127, 255, 255], [127, 0, 0, 1], [169, 254, 169, 254],
        [172, 16, 0, 1], [172, 31, 255, 255], [192, 168, 1, 1], [198, 19, 0, 1], [224, 0, 0, 1], [255, 255, 255, 255],
        ipv6(0xFE, 0x80, last: 1), ipv6(0xFC, 0, last: 1), ipv6(0, 0, last: 1), ipv6(0, 0, last: 0),
        ipv6(0x20, 0x02, last: 1), ipv6(0xFF, 2, last: 1),
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127, 0, 0, 1], [], [1, 2, 3],
    ]
    static let published: [[UInt8]] = [
        [8, 8, 8, 8], [100, 63, 0, 1], [100, 128, 0, 1], [172, 15, 0, 1], [172, 32, 0, 1], [198, 17, 0, 1],
        [223, 255, 255, 255], ipv6(0x2A, 0, last: 1), ipv6(0x20, 0x03, last: 1),
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 8, 8, 8, 8],
    ]

    private static func ipv6(_ first: UInt8, _ second: UInt8, last: UInt8) -> [UInt8] {
        [first, second] + [UInt8](repeating: 0, count: 13) + [last]
    }

    @Test(arguments: reserved) func isNot(_ address: [UInt8]) { #expect(!PublicAddress.isPublic(address)) }

    @Test(arguments: published) func isOne(_ address: [UInt8]) { #expect(PublicAddress.isPublic(address)) }
}

import Limits
import Testing

@Suite struct ClientNetworkTests {
    @Test(
        arguments: [
            ("192.0.2.7", "192.0.2.7", nil),
            // An IPv4 client on an IPv6 socket is the same client.
            ("::ffff:192.0.2.7", "192.0.2.7", nil),
            ("::FFFF:c000:207", "192.0.2.7", nil),
            ("2001:db8::1", "2001:db8:0:0::/64", "2001:db8:0::/48"),
            ("2001:DB8:0:0:ffff:ffff:ffff:ffff", "2001:db8:0:0::/64", "2001:db8:0::/48"),
            ("2001:db8:0:1::1", "2001:db8:0:1::/64", "2001:db8:0::/48"),
            ("2001:db8:1:1::1", "2001:db8:1:1::/64", "2001:db8:1::/48"),
            ("fe80::1%eth0", "fe80:0:0:0::/64", "fe80:0:0::/48"),
            ("::1", "0:0:0:0::/64", "0:0:0::/48"),
            ("unknown", "unknown", nil), ("", "", nil),
        ] as [(String, String, String?)])
    func countsAsOne(_ address: String, _ network: String, _ site: String?) {
        #expect(ClientNetwork(address).description == network)
        #expect(ClientNetwork(address).site == site)
    }

    @Test func oneClientIsOneKey() {
        #expect(ClientNetwork("2001:db8:1:2::1") == ClientNetwork("2001:db8:1:2:ffff::"))
        #expect(ClientNetwork("2001:db8:1:2::1") != ClientNetwork("2001:db8:1:3::1"))
        #expect(ClientNetwork("::ffff:192.0.2.1") == ClientNetwork("192.0.2.1"))
    }

    @Test func whatIsNoAddress() {
        #expect(ClientNetwork(ipAddress: "unknown") == nil)
        #expect(ClientNetwork(ipAddress: "192.0.2.1") == ClientNetwork("192.0.2.1"))
    }
}

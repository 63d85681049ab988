import Testing

@testable import GraphQLTransport

@Suite(.timeLimit(.minutes(10)))
struct TrustedProxiesTests {
    /// The address, or "?" for an entry without one.
    private static func client(_ lines: [String], _ count: Int, _ field: TrustedProxies.Field) -> String? {
        do { return try TrustedProxies(count: count, field: field).client(in: lines) } catch { return "?" }
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("192.0.2.1:443", "192.0.2.1"), ("\"192.0.2.1\"", "192.0.2.1"),
        ("\"192.0.2.1:51423\"", "192.0.2.1"), ("2001:db8::1", "2001:db8::1"), ("[2001:db8::1]", "2001:db8::1"),
        ("[2001:db8::1]:443", "2001:db8::1"), ("\"[2001:db8::1]:443\"", "2001:db8::1"),
        ("\"2001:db8::1\"", "2001:db8::1"), ("::ffff:192.0.2.1", "::ffff:192.0.2.1"), ("\t192.0.2.1 ", "192.0.2.1"),
        ("192.0.2.1:_port", "192.0.2.1"),
        ("unknown", "?"), ("_hidden", "?"), ("", "?"), (" ", "?"), ("300.1.1.1", "?"), ("192.0.2.1 192.0.2.2", "?"),
        ("192.0.2.1:", "?"), ("192.0.2.1:123456", "?"), ("192.0.2.1:4x", "?"), ("[192.0.2.1]", "?"),
        ("[2001:db8::1", "?"), ("2001:db8::1]", "?"), ("[2001:db8::1]443", "?"), ("[]:80", "?"), ("\"192.0.2.1", "?"),
        ("localhost", "?"), ("fe80::1%eth0", "?"), ("192.0.2.1\0", "?"), ("\"\"", "?"), ("\"", "?"), (":80", "?"),
    ])
    func entries(_ entry: String, _ expected: String) {
        #expect(Self.client([entry], 1, .xForwardedFor) == expected)
        #expect(Self.client(["198.51.100.7, \(entry)"], 1, .xForwardedFor) == expected)
        #expect(Self.client(["198.51.100.7", entry], 1, .xForwardedFor) == expected)
        #expect(Self.client([entry + ",198.51.100.7:80"], 2, .xForwardedFor) == expected)
        // RFC 7239 has an address with a colon in quotation marks.
        let value = entry.contains("\"") ? entry : "\"\(trimmed(entry))\""
        #expect(Self.client(["for=198.51.100.7, for=\(value)"], 1, .forwarded) == expected)
    }

    @Test(arguments: [
        ("for=192.0.2.60;proto=http;by=203.0.113.43", "192.0.2.60"),
        ("For=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"),
        ("proto=https;host=\"a, b; for=1.1.1.1\";for=192.0.2.60", "192.0.2.60"),
        ("by=_x; FOR = 192.0.2.60 ", "192.0.2.60"),
        ("for=192.0.2.43, for=198.51.100.17", "198.51.100.17"),
        ("for=198.51.100.17;host=\"a\\\"b, for=1.1.1.1\"", "198.51.100.17"),
        ("for=192.0.2.1;", "192.0.2.1"),
        ("proto=https", "?"), ("for=unknown", "?"), ("for=_gazonk", "?"), ("for=\"_gazonk:800\"", "?"), ("for=", "?"),
        ("for=192.0.2.1;for=192.0.2.2", "?"), ("192.0.2.1", "?"), ("xfor=192.0.2.1", "?"), ("for=1.1.1.1,", "?"),
    ])
    func elements(_ value: String, _ expected: String) {
        #expect(Self.client([value], 1, .forwarded) == expected)
    }

    /// A client's part before that of the proxies, however it is written, does not change what they say.
    @Test(arguments: [
        "", ",", ", ,", "\"", "for=\"", "for=\"1.1.1.1, for=2.2.2.2", "for=\"\\", "\\\"", "\u{0}",
        "for=1.1.1.1;host=\"",
        // U+0600 combines with the character after it, and the others with the one before.
        "\u{600}", "for=1.1.1.1;x=\u{600}", "for=\"\u{600}", "\\\u{301}", "for=1.1.1.1;x=\"\u{301}", "x\u{37E}",
    ])
    func theClientsPartIsItsOwn(_ forged: String) {
        for field in [TrustedProxies.Field.xForwardedFor, .forwarded] {
            func entry(_ address: String) -> String { field == .forwarded ? "for=\(address);proto=https" : address }
            let (far, near) = (entry("192.0.2.1"), entry("192.0.2.2"))
            let joined = "\(forged),\(far),\(near)"
            for lines in [["\(forged), \(far), \(near)"], [joined], [forged, far, near], ["\(forged),\(far)", near]] {
                #expect(Self.client(lines, 2, field) == "192.0.2.1", "\(lines)")
                #expect(Self.client(lines, 1, field) == "192.0.2.2", "\(lines)")
            }
        }
    }

    @Test func emptyEntriesAreEntries() {
        #expect(Self.client(["192.0.2.1,"], 1, .xForwardedFor) == "?")
        #expect(Self.client(["192.0.2.1,,192.0.2.2"], 2, .xForwardedFor) == "?")
        #expect(Self.client(["192.0.2.1", ""], 1, .xForwardedFor) == "?")
        #expect(Self.client([], 1, .xForwardedFor) == nil)
        #expect(Self.client(["192.0.2.1"], 0, .xForwardedFor) == nil)
    }

    @Test func anUnreadableEntryIsLoggedOnce() async throws {
        try await TestServer.run {
            $0.settings.proxies = TrustedProxies(count: 1)
        } _: { (server) async throws in
            for address in ["192.0.2.1", "unknown", "_hidden", "unknown"] {
                let reply = try await server.post(#"{"query":"{ hello }"}"#, [("X-Forwarded-For", address)])
                #expect(reply.status == 200)
            }
            let warnings = server.log.all.filter { $0.contains("A trusted proxy") }
            #expect(warnings.count == 1 && warnings[0].contains(#""entry":"unknown""#), "\(warnings)")
            #expect(warnings[0].contains(#""peer":"127.0.0.1""#))
        }
    }
}

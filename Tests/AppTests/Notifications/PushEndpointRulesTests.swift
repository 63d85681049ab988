import Testing

@testable import App

@Suite struct PushEndpointRulesTests {
    @Test(arguments: [
        "https://fcm.googleapis.com/fcm/send/abc", "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
        "https://web.push.apple.com/Q", "https://db5p.notify.windows.com/w/?token=Bw%3d",
    ])
    func allow(_ endpoint: String) { #expect(PushEndpointRules().allow(endpoint)) }

    @Test(arguments: [
        "", "https://", "https://localhost/", "https://printer.local/", "https://db.internal/x", "https://127.0.0.1/",
        "https://[::1]/", "https://2130706433/", "https://0x7f.0.0.1/", "https://127.1/", "http://push.example.net/",
        "https://push.example.net:8443/", "https://user@push.example.net/", "https://push.example.net\\@127.0.0.1/",
        "https://push..net/", "https://push.example.net./", "https://push.example.n\u{0}et/", "ftp://push.example.net/",
        #"https://a.example","sub":"mailto:x/"#, "https://push.example.net@127.0.0.1/", "http://127.0.0.1:80/",
    ])
    func refuse(_ endpoint: String) { #expect(!PushEndpointRules().allow(endpoint)) }

    @Test(arguments: [
        ("http://127.0.0.1:8080/push", true), ("https://push.lan:8443/a", true), ("http://10.0.0.1/", true),
        ("https://fcm.googleapis.com/fcm/send/abc", true), ("ftp://push.lan/", false), ("http:///x", false),
        ("http://[::1]:8080/", true), ("http://push_1.lan/", true),
        // VAPID's claims have the authority.
        (#"http://a","sub":"mailto:x/"#, false), ("http://a%22/", false), ("http://a{b}/", false),
        ("http://user@push.lan/", false), ("http://push.lan\\@127.0.0.1/", false), ("push.lan", false),
    ])
    func privateAddressesAreASetting(_ endpoint: String, _ isAllowed: Bool) {
        var rules = PushEndpointRules()
        rules.allowsPrivateAddresses = true
        #expect(rules.allow(endpoint) == isAllowed)
    }
}

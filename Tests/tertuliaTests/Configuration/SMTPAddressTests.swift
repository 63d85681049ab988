import Testing

@testable import tertulia

@Suite struct SMTPAddressTests {
    @Test(arguments: [
        "smtp://localhost", "smtp://mail.example.org:587/", "smtps://u:p@mail.example.org",
        "smtp://u%40x:p%2F@h:25?encryption=opportunistic", "smtp://h?ca=/etc/ca.pem&encryption=required",
    ])
    func isRead(_ text: String) { #expect(SMTPAddress(text) != nil) }

    @Test(arguments: [
        "", "mail.example.org", "http://mail.example.org", "smtp://", "smtp://h/path", "smtp://h?tls=no",
        "smtp://h?encryption=none", "smtp://u:%zz@h", "smtp://h?ca",
    ])
    func isRefused(_ text: String) { #expect(SMTPAddress(text) == nil) }
}

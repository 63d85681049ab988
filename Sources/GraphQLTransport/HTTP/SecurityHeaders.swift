/// The headers of every answer unless its route sets others: no answer of this API may be sniffed, framed, cached by
/// proxies or named to other sites.
/// OWASP Secure Headers Project; OWASP REST Security Cheat Sheet
enum SecurityHeaders {
    static let defaults: [(name: String, value: String)] = [
        ("X-Content-Type-Options", "nosniff"),
        ("Cache-Control", "no-store"),
        ("Referrer-Policy", "no-referrer"),
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ]

    /// The same as bytes of a response head.
    static let bytes = lines(defaults)

    /// Without the policy: a page has its own.
    static let pageBytes = lines(defaults.filter { $0.name != "Content-Security-Policy" })

    private static func lines(_ fields: [(name: String, value: String)]) -> [UInt8] {
        Array(fields.map { "\($0.name): \($0.value)\r\n" }.joined().utf8)
    }
}

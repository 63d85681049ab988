/// What every answer carries unless its route says otherwise: nothing of this API is to be sniffed, framed, cached by
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
    static let bytes = Array(defaults.map { "\($0.name): \($0.value)\r\n" }.joined().utf8)
}

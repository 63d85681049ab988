/// The headers of every answer. A route can set another value for each of them. They forbid a browser to guess the type
/// of an answer, to show it in a frame, and to send its address as a referrer. They forbid caches to store it.
/// OWASP Secure Headers Project; OWASP REST Security Cheat Sheet
enum SecurityHeaders {
    static let defaults: [(name: String, value: String)] = [
        ("X-Content-Type-Options", "nosniff"),
        ("Cache-Control", "no-store"),
        ("Referrer-Policy", "no-referrer"),
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ]

    /// The default headers as lines of a response head.
    static let bytes = lines(defaults)

    /// The default headers without the content security policy, since a page has its own.
    static let pageBytes = lines(defaults.filter { $0.name != "Content-Security-Policy" })

    private static func lines(_ fields: [(name: String, value: String)]) -> [UInt8] {
        Array(fields.map { "\($0.name): \($0.value)\r\n" }.joined().utf8)
    }
}

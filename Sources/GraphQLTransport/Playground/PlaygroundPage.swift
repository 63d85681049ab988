/// The page that a browser is answered with at `/` and at the endpoint itself. Its scripts and styles are files of
/// their own below `/playground/`; the policy lets it load nothing else.
enum PlaygroundPage {
    /// Content Security Policy Level 3. `connect-src 'self'` is this server, by WebSocket too.
    static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "worker-src 'self'",
        "img-src 'self' data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    static var answer: GraphQLAnswer {
        GraphQLAnswer(
            status: .ok, contentType: PlaygroundFile.page.contentType,
            headers: [("Content-Security-Policy", contentSecurityPolicy)], body: PlaygroundFile.page.identity.bytes,
            isHTML: true)
    }
}

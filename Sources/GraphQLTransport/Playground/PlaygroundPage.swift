import Cryptography

/// The playground: one page with its style and script inside. The policy names both by their hashes, so that nothing
/// else can ever run in it.
struct PlaygroundPage: Sendable {
    let html: [UInt8]
    let contentSecurityPolicy: String

    static let shared = PlaygroundPage(
        template: PackageResources.playground_html, style: PackageResources.playground_css,
        scripts: [
            PackageResources.language_js, PackageResources.schema_js, PackageResources.editor_js,
            PackageResources.playground_js,
        ])

    init(template: [UInt8], style: [UInt8], scripts: [[UInt8]]) {
        let style = String(decoding: style, as: UTF8.self)
        let script = scripts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        let page = String(decoding: template, as: UTF8.self)
        html = Array(
            page.replacing("<style></style>", with: "<style>\(style)</style>", maxReplacements: 1)
                .replacing("<script></script>", with: "<script>\(script)</script>", maxReplacements: 1).utf8)
        contentSecurityPolicy = [
            "default-src 'none'", "script-src '\(Self.hash(script))'", "style-src '\(Self.hash(style))'",
            "connect-src 'self'", "img-src data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }

    /// Content Security Policy Level 3, 2.3.1 Source Lists, hash-source: 32 bytes in Base64 with their padding
    private static func hash(_ text: String) -> String {
        "sha256-" + Base64.standard.encode(SHA256.digest(of: text).bytes) + "="
    }

    var answer: GraphQLAnswer {
        GraphQLAnswer(
            status: .ok, contentType: "text/html; charset=utf-8",
            headers: [("Content-Security-Policy", contentSecurityPolicy)],
            body: html, isPage: true)
    }
}

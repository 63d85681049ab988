import Cryptography
import Postgres

/// The page at a published thought's public link, for browsers and for the link previews of chats.
/// Source: The Open Graph protocol, https://ogp.me
public struct ThoughtPage: Sendable {
    /// UTF-8.
    public let html: [UInt8]

    /// A strong entity tag, derived from the bytes.
    /// Source: RFC 9110, 8.8.3
    public var entityTag: String { "\"\(Base64.url.encode(SHA256.digest(of: html).bytes.prefix(16)))\"" }

    /// Allows the page's one style sheet, by its hash, and images of this server.
    public static let contentSecurityPolicy = [
        "default-src 'none'", "style-src 'sha256-\(Base64.standard.encode(SHA256.digest(of: style.bytes).bytes))='",
        "img-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    private static let style: HTML = """
        body{margin:3rem auto;max-width:40rem;padding:0 1rem;font:1.125rem/1.6 system-ui,sans-serif;\
        color:#1f2937;background:#fff}h1{line-height:1.25}p{white-space:pre-wrap;overflow-wrap:anywhere}\
        img{max-width:100%;height:auto;border-radius:.5rem}footer{color:#6b7280}\
        @media(prefers-color-scheme:dark){body{color:#e5e7eb;background:#111827}footer{color:#9ca3af}}
        """

    /// The longest heading that is made from the text of an untitled thought, and the longest description. Both are in
    /// grapheme clusters. Link previews show no more of them.
    private static let (titleLength, descriptionLength) = (70, 200)

    static func address(of thought: UUID, _ environment: Environment) -> PublicURL {
        PublicURL(base: environment.publicURL, path: "/thoughts/", id: TypeID(.thought, thought))
    }

    init(html: [UInt8]) { self.html = html }

    init?(_ thought: Thought, publicURL: String) {
        guard let author = thought.author, let publishedAt = thought.publishedAt else { return nil }
        let text = String(thought.text)
        let title = thought.title.map { String($0) }
        let heading = title ?? Self.excerpt(text, Self.titleLength)
        let name = String(author.displayName)
        let image = thought.imageID.map { "\(publicURL)/images/\(TypeID(.image, $0))" }
        let page: HTML = """
            <!doctype html><html><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width,initial-scale=1"><title>\(heading) · \(name)</title>\
            <link rel="canonical" href="\(publicURL)/thoughts/\(TypeID(.thought, thought.id).description)">\
            <meta property="og:type" content="article"><meta property="og:site_name" content="Tertulia">\
            <meta property="og:url" content="\(publicURL)/thoughts/\(TypeID(.thought, thought.id).description)">\
            <meta property="og:title" content="\(heading)">\
            <meta property="og:description" content="\(Self.excerpt(text, Self.descriptionLength))">\
            <meta property="article:author" content="\(name)">\
            <meta property="article:published_time" content="\(publishedAt.rfc3339)">\
            <meta property="article:section" content="\(String(thought.category))">\
            \(image.map { "<meta property=\"og:image\" content=\"\($0)\">" as HTML })\
            <meta name="twitter:card" content="\(image == nil ? "summary" : "summary_large_image")">\
            <style>\(Self.style)</style></head><body><article>\
            \(title.map { "<h1 dir=\"auto\">\($0)</h1>" as HTML })\
            \(image.map { "<img src=\"\($0)\" alt=\"\">" as HTML })\
            <p dir="auto">\(text)</p>\
            <footer><span dir="auto">\(name)</span>, \
            <time datetime="\(publishedAt.rfc3339)">\(String(publishedAt.rfc3339.prefix(10)))</time></footer>\
            </article></body></html>
            """
        self.init(html: page.bytes)
    }

    /// The beginning of the text as one line, cut between grapheme clusters.
    private static func excerpt(_ text: String, _ length: Int) -> String {
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count > length ? "\(line.prefix(length))…" : line
    }
}

/// A published thought with its author, to be read without a viewer.
struct SharedThoughtByID: Statement {
    let id: UUID

    var sql: SQL {
        """
        select \(unsafe: Thought.columns), \(unsafe: User.columns) from thoughts t join users u on u.id = t.author_id \
        where t.id = \(id) and t.status = 'PUBLISHED'
        """
    }

    func decode(_ row: Row) -> Thought { Thought(row: row, hasAuthor: true) }
}

extension Environment {
    /// The page of a thought; nil if no published thought has this id.
    /// - Parameter id: a TypeID.
    /// - Throws: errors of the database.
    public func thoughtPage(id: String) async throws -> ThoughtPage? {
        guard let id = TypeID(id), id.kind == .thought else { return nil }
        let found = try await pools.read.start(SharedThoughtByID(id: id.uuid), settings: nil).value
        return found.first.flatMap { ThoughtPage($0, publicURL: publicURL) }
    }
}

import Cryptography

/// A file of the playground, as it is served.
struct PlaygroundFile: Sendable {
    /// Below `/playground/`.
    let path: String
    let bytes: [UInt8]
    /// RFC 9110, 8.8.3 ETag
    let entityTag: String

    init(path: String, text: String) {
        self.path = path
        bytes = Array(text.utf8)
        entityTag = "\"\(Base64.standard.encode(SHA256.digest(of: text).bytes))\""
    }

    var contentType: String { "\(mediaType); charset=utf-8" }

    private var mediaType: String {
        switch path.split(separator: ".").last {
        case "js": "text/javascript"
        case "css": "text/css"
        case "html": "text/html"
        case "json": "application/json"
        default: "text/plain"
        }
    }

    /// In the order of their paths.
    static let all = EmbeddedFiles.all.map { file in
        PlaygroundFile(path: String(file.name.dropFirst("Playground/".count)), text: file.text)
    }

    static let page = named("index.html")
    static let switchedOff = named("off.html")

    private static func named(_ path: String) -> PlaygroundFile {
        all.first { $0.path == path } ?? PlaygroundFile(path: path, text: "")
    }
}

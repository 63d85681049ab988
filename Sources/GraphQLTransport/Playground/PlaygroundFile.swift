import Cryptography

/// A file of the playground, as it is served.
struct PlaygroundFile: Sendable {
    /// Below `/playground/`.
    let path: String
    let identity: Representation
    /// The file compressed by gzip; nil for a file that is made while the server runs.
    let gzip: Representation?

    /// RFC 9110, 8.8.3 ETag: two encodings of a file are two representations, so each has a tag of its own.
    struct Representation: Sendable {
        let bytes: [UInt8]
        let entityTag: String
    }

    init(path: String, text: String, gzip: [UInt8]? = nil) {
        self.path = path
        let digest = Base64.standard.encode(SHA256.digest(of: text).bytes)
        identity = Representation(bytes: Array(text.utf8), entityTag: "\"\(digest)\"")
        self.gzip = gzip.map { Representation(bytes: $0, entityTag: "\"\(digest)-gzip\"") }
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
        PlaygroundFile(
            path: String(file.name.dropFirst("Playground/".count)), text: file.text,
            gzip: EmbeddedFiles.compressed[file.name].flatMap { Base64.standard.decode($0) })
    }

    /// The first 12 digits of the digest of all files. Addresses with a release in them never change what they name.
    static let release = String(
        SHA256.digest(of: all.map { "\($0.path) \($0.identity.entityTag)\n" }.joined()).hex.prefix(12))

    /// The page asks for its files at the addresses of this release. The files' imports are relative, so they name
    /// files of the same release.
    /// The description is the server's, not the release's.
    static let page = PlaygroundFile(
        path: "index.html",
        text: String(decoding: named("index.html").identity.bytes, as: UTF8.self)
            .replacing("\"/playground/", with: "\"/playground/\(release)/")
            .replacing("\"/playground/\(release)/description.json\"", with: "\"/playground/description.json\""))

    static let switchedOff = named("off.html")

    private static func named(_ path: String) -> PlaygroundFile {
        all.first { $0.path == path } ?? PlaygroundFile(path: path, text: "")
    }
}

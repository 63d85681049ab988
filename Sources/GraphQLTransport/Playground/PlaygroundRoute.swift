import HTTPTypes
import Hummingbird
import NIOCore

/// The playground's page at `/`, and its files below `/playground/`. `HTTPConnection` serves the same page at the
/// endpoint itself.
struct PlaygroundRoute {
    /// A JSON object: docs/playground.md, "The description".
    let description: String

    func add(to router: Router<BasicRequestContext>) {
        router.get("/") { request, _ in Self.response(.page, to: request) }
        let description = PlaygroundFile(path: "description.json", text: description)
        let files = Dictionary(
            (PlaygroundFile.all + [description]).map { ($0.path, $0) }, uniquingKeysWith: { $1 })
        router.get("playground/**") { request, context in
            guard let file = files[context.parameters.getCatchAll().joined(separator: "/")] else {
                return Response(status: .notFound)
            }
            return Self.response(file, to: request)
        }
    }

    /// The browser revalidates a file each time that it loads the file, so a page never has modules of two releases. If
    /// the browser's copy is current, the response is 304 without a body.
    static func response(_ file: PlaygroundFile, to request: Request) -> Response {
        let gzip = request.headers[.acceptEncoding].map(AcceptedEncodings.takeGzip) == true ? file.gzip : nil
        let chosen = gzip ?? file.identity
        var headers: HTTPFields = [
            .contentType: file.contentType, .contentSecurityPolicy: PlaygroundPage.contentSecurityPolicy,
            .cacheControl: "no-cache", .eTag: chosen.entityTag, .vary: "Accept-Encoding",
        ]
        if let known = request.headers[.ifNoneMatch], EntityTagList.names(known, chosen.entityTag) {
            return Response(status: .notModified, headers: headers)
        }
        if gzip != nil { headers[.contentEncoding] = "gzip" }
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: chosen.bytes)))
    }
}

/// A plain page at `/` that says that this server has no playground.
public enum SwitchedOffPlayground {
    public static func add(to router: Router<BasicRequestContext>) {
        router.get("/") { request, _ in PlaygroundRoute.response(.switchedOff, to: request) }
    }
}

import HTTPTypes
import Hummingbird
import NIOCore

/// The playground's page at `/`, and its files below `/playground/`. `SchemaEndpoint` answers a browser with the same
/// page at the endpoint itself.
///
/// The page asks for `/playground/<release>/<path>`, which browsers keep and never ask for again. Another release's
/// address is not found: this release's file in its place could import, or be imported by, one that the browser kept. A
/// page of the other release then asks to be loaded again. Without a release an address is answered with the present
/// file.
struct PlaygroundRoute {
    /// A JSON object: docs/playground.md, "The description".
    let description: String

    func add(to router: Router<BasicRequestContext>) {
        router.get("/") { request, _ in Self.response(.page, to: request) }
        let description = PlaygroundFile(path: "description.json", text: description)
        let files = Dictionary(
            (PlaygroundFile.all + [description]).map { ($0.path, $0) }, uniquingKeysWith: { $1 })
        router.get("playground/**") { request, context in
            let path = context.parameters.getCatchAll()
            if path.first.map(String.init) == PlaygroundFile.release,
                let file = files[path.dropFirst().joined(separator: "/")], file.path != description.path
            {
                return Self.response(file, to: request, caching: .forever)
            }
            guard let file = files[path.joined(separator: "/")] else { return Response(status: .notFound) }
            return Self.response(file, to: request)
        }
    }

    enum Caching: String {
        /// The browser asks each time; if its copy is current, the response is 304 without a body.
        case revalidated = "no-cache"
        /// RFC 9111, 5.2.2.1 max-age: a year. RFC 8246: not even a reload asks again.
        case forever = "public, max-age=31536000, immutable"
    }

    static func response(
        _ file: PlaygroundFile, to request: Request, caching: Caching = .revalidated
    ) -> Response {
        let gzip = request.headers[.acceptEncoding].map(AcceptedEncodings.takeGzip) == true ? file.gzip : nil
        let chosen = gzip ?? file.identity
        var headers: HTTPFields = [
            .contentType: file.contentType, .contentSecurityPolicy: PlaygroundPage.contentSecurityPolicy,
            .cacheControl: caching.rawValue, .eTag: chosen.entityTag, .vary: "Accept-Encoding",
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

import App
import HTTPTypes
import Hummingbird

/// `GET /thoughts/ID`, the public link of a thought.
enum ThoughtRoute {
    static func add(to router: Router<BasicRequestContext>, _ environment: App.Environment) {
        router.get("thoughts/:id") { request, context in
            do {
                let page = try await environment.thoughtPage(id: try context.parameters.require("id"))
                return response(page, ifNoneMatch: request.headers[.ifNoneMatch])
            } catch {
                // It also writes the log.
                _ = App.RequestContext(environment: environment, viewer: nil).executionError(for: error)
                return Response(status: .serviceUnavailable)
            }
        }
    }

    /// A page that is gone or a draft again may be shown from a cache for a minute.
    static func response(_ page: ThoughtPage?, ifNoneMatch: String?) -> Response {
        guard let page else { return Response(status: .notFound) }
        var headers: HTTPFields = [.eTag: page.entityTag, .cacheControl: "public, max-age=60"]
        if let ifNoneMatch, names(ifNoneMatch, page.entityTag) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.contentSecurityPolicy] = ThoughtPage.contentSecurityPolicy
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: page.html)))
    }

    /// Source: RFC 9110, 13.1.2, by weak comparison
    private static func names(_ list: String, _ entityTag: String) -> Bool {
        list.split(separator: ",").contains { element in
            let tag = element.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return tag == "*" || (tag.hasPrefix("W/") ? tag.dropFirst(2) : tag) == entityTag
        }
    }
}

import App
import GraphQLTransport
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
                // `executionError` writes unexpected errors to the log.
                _ = App.RequestContext(environment: environment, viewer: nil).executionError(for: error)
                return Response(status: .serviceUnavailable)
            }
        }
    }

    /// A cache may show the page of a deleted or unpublished thought for up to a minute.
    static func response(_ page: ThoughtPage?, ifNoneMatch: String?) -> Response {
        guard let page else { return Response(status: .notFound) }
        var headers: HTTPFields = [.eTag: page.entityTag, .cacheControl: "public, max-age=60"]
        if let ifNoneMatch, EntityTagList.names(ifNoneMatch, page.entityTag) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.contentSecurityPolicy] = ThoughtPage.contentSecurityPolicy
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: page.html)))
    }
}

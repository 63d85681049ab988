import HTTPTypes
import Hummingbird
import NIOCore

/// The playground at `/`; at the endpoint itself `HTTPConnection` answers with the same page.
enum PlaygroundRoute {
    static func add(to router: Router<BasicRequestContext>) {
        router.get("/") { _, _ in
            let page = PlaygroundPage.shared
            return Response(
                status: .ok,
                headers: [
                    .contentType: "text/html; charset=utf-8",
                    .contentSecurityPolicy: page.contentSecurityPolicy,
                    .cacheControl: "no-cache",
                ],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: page.html)))
        }
    }
}

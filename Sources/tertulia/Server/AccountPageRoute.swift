import App
import HTTPTypes
import Hummingbird

/// `GET /confirm-email` and `/reset-password`, which the links of mails open.
enum AccountPageRoute {
    static func add(to router: Router<BasicRequestContext>) {
        for page in AccountPage.all {
            router.get(RouterPath(page.path)) { _, _ in response(page) }
        }
    }

    static func response(_ page: AccountPage) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "public, max-age=3600",
                .contentSecurityPolicy: page.contentSecurityPolicy,
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: page.html)))
    }
}

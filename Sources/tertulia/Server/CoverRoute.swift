import App
import HTTPTypes
import Hummingbird

/// `GET /covers/CATEGORY/ID`: the placeholder of an object, a function of its category and id.
enum CoverRoute {
    static func add(to router: Router<BasicRequestContext>) {
        router.get("covers/:category/:id") { _, context in
            response(try context.parameters.require("category"), try context.parameters.require("id"))
        }
    }

    static func response(_ category: String, _ id: String) -> Response {
        guard let category = Cover.Category(rawValue: category), let id = TypeID(id) else {
            return Response(status: .notFound)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "image/svg+xml", .cacheControl: "public, max-age=31536000, immutable",
                .contentSecurityPolicy: "default-src 'none'; sandbox",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: Cover(category, of: id).svg)))
    }
}

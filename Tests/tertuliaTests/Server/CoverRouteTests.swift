import Hummingbird
import Testing

@testable import tertulia

@Suite struct CoverRouteTests {
    private let id = "thought_01kdv00000e0080000000000g1"

    @Test(arguments: ["funny", "serious", "crazy", "event"]) func eachCategoryIsDrawn(_ category: String) {
        let response = CoverRoute.response(category, id)
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "image/svg+xml")
        #expect(response.headers[.contentSecurityPolicy] == "default-src 'none'; sandbox")
        #expect(response.headers[.cacheControl] == "public, max-age=31536000, immutable")
        #expect((response.body.contentLength ?? 0) > 500)
    }

    @Test(arguments: [("dull", "thought_01kdv00000e0080000000000g1"), ("funny", "x"), ("funny", "")])
    func nothingElseIs(_ category: String, _ id: String) {
        #expect(CoverRoute.response(category, id).status == .notFound)
    }
}

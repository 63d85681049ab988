import Hummingbird
import Postgres
import Testing

@testable import App
@testable import tertulia

/// What the route makes of a page.
@Suite struct ThoughtRouteTests {
    private let page = ThoughtPage(html: Array("<p>".utf8))

    @Test func aPageHasItsPolicyAndAnEntityTag() {
        let response = ThoughtRoute.response(page, ifNoneMatch: nil)
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        #expect(response.headers[.contentSecurityPolicy] == ThoughtPage.contentSecurityPolicy)
        #expect(response.headers[.cacheControl] == "public, max-age=60")
        #expect(response.headers[.eTag] == page.entityTag)
        #expect(response.body.contentLength == 3)
    }

    @Test func whatTheClientHasIsNotSentAgain() {
        for tag in [page.entityTag, "W/\(page.entityTag)", "\"a\", \(page.entityTag)", "*"] {
            let response = ThoughtRoute.response(page, ifNoneMatch: tag)
            #expect(response.status == .notModified, "\(tag)")
            #expect(response.headers[.eTag] == page.entityTag)
            #expect(response.body.contentLength == 0)
        }
        for tag in ["", "\"a\"", "W/\"a\", \"b\""] {
            #expect(ThoughtRoute.response(page, ifNoneMatch: tag).status == .ok, "\(tag)")
        }
    }

    @Test func whereThereIsNoneNothingIsCached() {
        let response = ThoughtRoute.response(nil, ifNoneMatch: "*")
        #expect(response.status == .notFound)
        #expect(response.headers[.cacheControl] == nil)
    }
}

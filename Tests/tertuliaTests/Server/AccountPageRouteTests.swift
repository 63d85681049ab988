import App
import Hummingbird
import Testing

@testable import tertulia

/// What a browser gets that opens the link of a mail.
@Suite struct AccountPageRouteTests {
    @Test func aPageHasItsPolicy() {
        #expect(AccountPage.all.map(\.path) == ["confirm-email", "reset-password"])
        for page in AccountPage.all {
            let response = AccountPageRoute.response(page)
            #expect(response.status == .ok)
            #expect(response.headers[.contentType] == "text/html; charset=utf-8")
            #expect(response.headers[.contentSecurityPolicy] == page.contentSecurityPolicy)
            #expect(response.body.contentLength == page.html.count)
        }
    }
}

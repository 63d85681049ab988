import NIOHTTP1
import Testing

@testable import GraphQLTransport

struct RequestHeadTests {
    private func head(_ headers: [(String, String)], proxies: TrustedProxies = TrustedProxies()) -> RequestHead {
        RequestHead(
            HTTPRequestHead(
                version: .http1_1, method: .GET, uri: "/graphql?query=x#y", headers: HTTPHeaders(headers)),
            peerAddress: "10.0.0.1", proxies: proxies)
    }

    @Test func splitsTheTarget() {
        #expect(head([]).path == "/graphql")
        #expect(head([]).query == "query=x")
    }

    @Test func findsHeadersInAnyCase() {
        let head = head([("AUTHORIZATION", "Bearer x"), ("accept", "a/b"), ("Accept", "text/html"), ("X-Own", "1")])
        #expect(head.authorization == "Bearer x")
        #expect(head.accepted.prefersPage)
        #expect(head["x-own"] == "1")
    }

    @Test(arguments: [(0, "10.0.0.1"), (1, "3.3.3.3"), (2, "2.2.2.2"), (9, "1.1.1.1")])
    func believesOnlyTrustedProxies(_ trusted: Int, _ expected: String) {
        let forwarded = [("X-Forwarded-For", "1.1.1.1, 2.2.2.2"), ("X-Forwarded-For", " 3.3.3.3")]
        let head = head(forwarded, proxies: TrustedProxies(count: trusted))
        #expect(head.clientAddress == expected && head.unreadableHop == nil)
    }

    /// The client wrote the other one.
    @Test func readsOneFieldAlone() {
        let both = [("Forwarded", "for=1.1.1.1"), ("X-Forwarded-For", "2.2.2.2")]
        #expect(head(both, proxies: TrustedProxies(count: 1)).clientAddress == "2.2.2.2")
        #expect(head(both, proxies: TrustedProxies(count: 1, field: .forwarded)).clientAddress == "1.1.1.1")
        #expect(head([both[0]], proxies: TrustedProxies(count: 1)).clientAddress == "10.0.0.1")
        #expect(head([both[1]], proxies: TrustedProxies(count: 1, field: .forwarded)).clientAddress == "10.0.0.1")
        #expect(head(both, proxies: TrustedProxies(count: 0, field: .forwarded)).clientAddress == "10.0.0.1")
    }

    /// The entry before it may be the client's.
    @Test func thePeerCountsWhereTheProxyNamesNoAddress() {
        let head = head([("X-Forwarded-For", "1.1.1.1, unknown")], proxies: TrustedProxies(count: 1))
        #expect(head.clientAddress == "10.0.0.1")
        #expect(head.unreadableHop?.entry == Array("unknown".utf8))
    }
}

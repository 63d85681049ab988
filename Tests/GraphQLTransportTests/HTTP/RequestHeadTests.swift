import NIOHTTP1
import Testing

@testable import GraphQLTransport

struct RequestHeadTests {
    private func head(_ headers: [(String, String)], trustedProxies: Int = 0) -> RequestHead {
        RequestHead(
            HTTPRequestHead(
                version: .http1_1, method: .GET, uri: "/graphql?query=x#y", headers: HTTPHeaders(headers)),
            peerAddress: "10.0.0.1", trustedProxies: trustedProxies)
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
        #expect(head(forwarded, trustedProxies: trusted).clientAddress == expected)
    }

    @Test(arguments: ["unknown", "", "1.1.1.1:443", "1.1.1.1 2.2.2.2", "[2001:db8::1]", "300.1.1.1"])
    func believesAddressesAlone(_ text: String) {
        #expect(head([("X-Forwarded-For", text)], trustedProxies: 1).clientAddress == "10.0.0.1")
    }

    @Test func knowsBothKindsOfAddresses() {
        for address in ["192.0.2.1", "2001:db8::1"] {
            #expect(head([("X-Forwarded-For", address)], trustedProxies: 1).clientAddress == address)
        }
    }
}

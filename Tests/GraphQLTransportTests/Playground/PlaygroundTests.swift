import Cryptography
import Testing

@testable import GraphQLTransport

struct PlaygroundTests {
    @Test func isServedToBrowsers() async throws {
        try await TestServer.run { (server) async throws in
            for target in ["/", "/graphql"] {
                let page = try await server.send("GET", target, [("Accept", "text/html,*/*;q=0.8")])
                #expect(page.status == 200)
                #expect(page["Content-Type"] == "text/html; charset=utf-8")
                #expect(page.body.hasPrefix("<!doctype html>"))
                #expect(page["Content-Security-Policy"] == PlaygroundPage.shared.contentSecurityPolicy)
            }
            #expect(try await server.send("GET", "/graphql", [("Accept", "application/json")]).status == 400)
        }
    }

    @Test func canBeSwitchedOff() async throws {
        try await TestServer.run {
            $0.settings.isPlaygroundEnabled = false
        } _: { (server) async throws in
            #expect(try await server.send("GET", "/").status == 404)
            #expect(try await server.send("GET", "/graphql", [("Accept", "text/html")]).status == 406)
        }
    }

    @Test func runsNothingButItsOwnScript() throws {
        let page = PlaygroundPage.shared
        let html = String(decoding: page.html, as: UTF8.self)
        for (element, directive) in [("script", "script-src"), ("style", "style-src")] {
            let start = try #require(html.ranges(of: "<\(element)>").first).upperBound
            let end = try #require(html.ranges(of: "</\(element)>").last).lowerBound
            let hash = Base64.standard.encode(SHA256.digest(of: String(html[start..<end])).bytes) + "="
            #expect(page.contentSecurityPolicy.contains("\(directive) 'sha256-\(hash)'"))
        }
        #expect(!page.contentSecurityPolicy.contains("unsafe"))
        #expect(!html.contains(" style=\""))
        #expect(!html.contains(" onclick="))
    }

    @Test func asksNobodyElse() {
        let html = String(decoding: PlaygroundPage.shared.html, as: UTF8.self)
        let addresses = html.ranges(of: "http").map { html[$0.lowerBound...].prefix(60) }
        #expect(addresses.allSatisfy { $0.hasPrefix("http://www.w3.org/2000/svg") })
    }
}

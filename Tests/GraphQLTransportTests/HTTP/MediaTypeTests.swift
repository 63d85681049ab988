import Testing

@testable import GraphQLTransport

struct MediaTypeTests {
    @Test func readsParameters() throws {
        let type = try #require(MediaType("Text/HTML; Charset=\"utf-8\" ;q=0.5"))
        #expect(type.type == "text")
        #expect(type.subtype == "html")
        #expect(type[parameter: "charset"] == "utf-8")
        #expect(type[parameter: "q"] == "0.5")
    }

    @Test(arguments: ["", "text", "text/", "/html", "text/html/x", "te xt/html", "text/html; charset", "text/html; =x"])
    func refusesWhatIsNone(_ text: String) { #expect(MediaType(text) == nil) }

    @Test(
        arguments: [
            (nil, GraphQLMediaType.json), ("", .json), ("*/*", .json), ("application/*", .json),
            ("application/graphql-response+json", .graphQLResponse),
            ("application/graphql-response+json, application/json;q=0.9", .graphQLResponse),
            ("application/json;q=0.9, application/graphql-response+json", .graphQLResponse),
            ("application/json, application/graphql-response+json", .json),
            ("application/graphql-response+json, application/json", .graphQLResponse),
            ("application/graphql-response+json;q=0.1, */*;q=0.5", .json),
            ("application/json;q=0, */*", .graphQLResponse), ("text/html, */*;q=0.8", .json),
            ("APPLICATION/JSON; charset=UTF-8", .json), ("broken, application/json", .json),
        ] as [(String?, GraphQLMediaType)])
    func prefersWhatTheClientPrefers(_ accept: String?, _ expected: GraphQLMediaType) {
        #expect(GraphQLMediaType.preferred(accept: accept) == expected)
    }

    @Test(arguments: ["text/html", "application/json;q=0", "*/*;q=0", "application/json; charset=latin1", "image/*"])
    func findsNothing(_ accept: String) { #expect(GraphQLMediaType.preferred(accept: accept) == nil) }

    @Test(arguments: [
        ("text/html", true), ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true),
        ("application/json, text/html;q=0.1", false), ("*/*", false),
    ])
    func tellsABrowserFromAClient(_ accept: String, _ isBrowser: Bool) {
        #expect(prefersHTML(accept: accept) == isBrowser)
    }
}

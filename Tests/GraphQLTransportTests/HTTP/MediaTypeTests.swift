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
}

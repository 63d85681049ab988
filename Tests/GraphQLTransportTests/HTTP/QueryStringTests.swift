import Testing

@testable import GraphQLTransport

struct QueryStringTests {
    @Test func decodes() throws {
        let query = try QueryString("a=1+2&b=%7B%C3%A9%7d&c&=d&a=3&&e=x=y")
        #expect(query["a"] == "1 2")
        #expect(query["b"] == "{é}")
        #expect(query["c"] == "")
        #expect(query[""] == "d")
        #expect(query["e"] == "x=y")
        #expect(query["f"] == nil)
    }

    @Test(arguments: ["a=%", "a=%4", "a=%zz", "a=%ff", "%C3=1"])
    func refusesWhatIsNotEncoded(_ text: String) {
        #expect(throws: MalformedQueryString.self) { try QueryString(Substring(text)) }
    }
}

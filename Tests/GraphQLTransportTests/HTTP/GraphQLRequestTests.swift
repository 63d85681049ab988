import GraphQL
import Testing

@testable import GraphQLTransport

struct GraphQLRequestTests {
    @Test func readsAnAddress() throws {
        let request = try GraphQLRequest(
            query: "query=%7Ba%7D&variables=%7B%22x%22%3A1%7D&operationName=&extensions=null", maxDepth: 8)
        #expect(request.query == "{a}")
        #expect(request.variables == InputObject([(name: "x", value: .int(1))]))
        #expect(request.operationName == nil)
    }

    @Test(arguments: ["query=%7Ba%7D&variables=1", "query=a&variables=%7B", "query=a&extensions=%5B%5D", "query=%fe"])
    func refusesMalformedAddresses(_ query: String) {
        #expect(throws: MalformedRequest.self) { try GraphQLRequest(query: Substring(query), maxDepth: 8) }
    }

    @Test func ignoresWhatItDoesNotKnow() throws {
        let request = try GraphQLRequest(json: parseJSON(Array(#"{"query":"{a}","id":7,"documentId":"d"}"#.utf8)))
        #expect(request.query == "{a}")
        #expect(request.documentID == "d")
    }
}

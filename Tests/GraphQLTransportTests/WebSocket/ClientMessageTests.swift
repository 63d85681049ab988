import GraphQL
import NIOCore
import Testing

@testable import GraphQLTransport

struct ClientMessageTests {
    private func message(_ text: String) throws -> ClientMessage { try ClientMessage(ByteBuffer(string: text)) }

    @Test func readsEachType() throws {
        let payload = InputObject([(name: "a", value: .int(1))])
        #expect(try message(#"{"type":"connection_init"}"#) == .connectionInit(nil))
        #expect(try message(#"{"type":"connection_init","payload":{"a":1}}"#) == .connectionInit(payload))
        #expect(try message(#"{"type":"ping","payload":null}"#) == .ping(nil))
        #expect(try message(#"{"payload":{"a":1},"type":"pong"}"#) == .pong(payload))
        #expect(try message(#"{"type":"complete","id":"x"}"#) == .complete(id: "x"))
        var request = GraphQLRequest(query: "{ a }", operationName: "A", variables: payload)
        request.extensions = payload
        let text = #"""
            {"id":"é","type":"subscribe","payload":{"query":"{ a }","operationName":"A","variables":{"a":1},
            "extensions":{"a":1},"more":true},"more":true}
            """#
        #expect(try message(text) == .subscribe(id: "é", request))
        let nulls = #"{"id":"1","type":"subscribe","payload":{"query":"{ a }","operationName":null,"variables":null}}"#
        #expect(try message(nulls) == .subscribe(id: "1", GraphQLRequest(query: "{ a }")))
    }

    @Test(arguments: [
        "", "hello", "[]", "1", "null", "{}", #"{"type":1}"#, #"{"type":"start"}"#, #"{"type":"connection_terminate"}"#,
        #"{"type":"connection_ack"}"#, #"{"type":"next","id":"1","payload":{}}"#,
        #"{"type":"error","id":"1","payload":[]}"#, #"{"type":"connection_init","payload":1}"#,
        #"{"type":"ping","payload":"x"}"#, #"{"type":"pong","payload":[]}"#, #"{"type":"complete"}"#,
        #"{"type":"complete","id":""}"#, #"{"type":"complete","id":1}"#, #"{"type":"subscribe","id":"1"}"#,
        #"{"type":"subscribe","payload":{"query":"{ a }"}}"#,
        #"{"type":"subscribe","id":"","payload":{"query":"{ a }"}}"#,
        #"{"type":"subscribe","id":"1","payload":{}}"#, #"{"type":"subscribe","id":"1","payload":{"query":1}}"#,
        #"{"type":"subscribe","id":"1","payload":{"query":"{ a }","variables":[]}}"#,
        #"{"type":"subscribe","id":"1","payload":{"query":"{ a }","operationName":{}}}"#,
        #"{"type":"subscribe","id":"1","payload":{"query":"{ a }","extensions":"x"}}"#,
    ])
    func refusesWhatIsNone(_ text: String) {
        #expect { try message(text) } throws: { ($0 as? InvalidMessage)?.reason.code == 4400 }
    }

    @Test func tellsBytesThatAreNotUTF8() {
        let bytes = ByteBuffer(bytes: Array(#"{"type":""#.utf8) + [0xFF, 0xFE])
        #expect { try ClientMessage(bytes) } throws: { ($0 as? InvalidMessage)?.reason.code == 1007 }
    }

    @Test func bearsDeepNesting() {
        let deep = #"{"type":"ping","payload":"# + String(repeating: "[", count: 60_000)
        #expect { try message(deep) } throws: { ($0 as? InvalidMessage)?.reason.code == 4400 }
    }
}

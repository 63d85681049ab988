import GraphQL
import NIOCore
import Testing

@testable import GraphQLTransport

struct ServerMessageTests {
    @Test func encodesEachType() {
        let response = GraphQL.Response(RequestError([GraphQLError("No.", code: .badRequest)]))
        let errors = #"[{"message":"No.","extensions":{"code":"BAD_REQUEST"}}]"#
        let payload = InputObject([(name: "cursor", value: .string("c"))])
        #expect(String(buffer: ServerMessage.connectionAck) == #"{"type":"connection_ack"}"#)
        #expect(String(buffer: ServerMessage.ping(nil)) == #"{"type":"ping"}"#)
        #expect(String(buffer: ServerMessage.ping(payload)) == #"{"type":"ping","payload":{"cursor":"c"}}"#)
        #expect(String(buffer: ServerMessage.pong(payload)) == #"{"type":"pong","payload":{"cursor":"c"}}"#)
        #expect(
            String(buffer: ServerMessage.next("1", response))
                == #"{"id":"1","type":"next","payload":{"errors":\#(errors)}}"#)
        #expect(
            String(buffer: ServerMessage.error("1", response.errors))
                == #"{"id":"1","type":"error","payload":\#(errors)}"#)
        #expect(String(buffer: ServerMessage.complete("a\"b")) == #"{"id":"a\"b","type":"complete"}"#)
    }
}

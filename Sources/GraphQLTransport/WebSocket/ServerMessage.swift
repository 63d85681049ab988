import GraphQL
import NIOCore

/// The encoded messages of the server.
/// graphql-transport-ws, Message types
enum ServerMessage {
    static let connectionAck = ByteBuffer(string: #"{"type":"connection_ack"}"#)

    static func ping(_ payload: InputObject?) -> ByteBuffer { message("ping", payload) }
    static func pong(_ payload: InputObject?) -> ByteBuffer { message("pong", payload) }

    static func next(_ id: String, _ response: GraphQL.Response) -> ByteBuffer {
        var start = JSONWriter(capacity: 64 + id.utf8.count)
        start.append("{\"id\":")
        start.write(id)
        start.append(",\"type\":\"next\",\"payload\":")
        // Many messages share the body of one response. Each copies the body straight into its buffer: by way of the
        // writer, each would copy it twice.
        var message = ByteBufferAllocator().buffer(capacity: start.count + response.body.count + 1)
        start.withUnsafeBytes { _ = message.writeBytes($0) }
        message.writeBytes(response.body)
        message.writeInteger(UInt8(ascii: "}"))
        return message
    }

    static func error(_ id: String, _ errors: [GraphQLError]) -> ByteBuffer {
        operation("error", id, extra: 256) { json in
            json.append(",\"payload\":")
            json.write(errors)
        }
    }

    static func complete(_ id: String) -> ByteBuffer { operation("complete", id, extra: 0) { _ in } }

    private static func message(_ type: StaticString, _ payload: InputObject?) -> ByteBuffer {
        var json = JSONWriter(capacity: 64)
        json.append("{\"type\":\"")
        json.append(type)
        json.append(UInt8(ascii: "\""))
        if let payload {
            json.append(",\"payload\":")
            json.write(payload)
        }
        json.append(UInt8(ascii: "}"))
        return json.buffer
    }

    private static func operation(
        _ type: StaticString, _ id: String, extra: Int, _ write: (inout JSONWriter) -> Void
    ) -> ByteBuffer {
        var json = JSONWriter(capacity: 64 + id.utf8.count + extra)
        json.append("{\"id\":")
        json.write(id)
        json.append(",\"type\":\"")
        json.append(type)
        json.append(UInt8(ascii: "\""))
        write(&json)
        json.append(UInt8(ascii: "}"))
        return json.buffer
    }
}

extension JSONWriter {
    var buffer: ByteBuffer { withUnsafeBytes { ByteBuffer(bytes: $0) } }
}

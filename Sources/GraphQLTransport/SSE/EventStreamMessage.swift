import GraphQL
import NIOCore

/// Events of the two modes of GraphQL over Server-Sent Events, encoded. A response is one line of JSON.
/// graphql-sse, Event stream; HTML, 9.2.5 Parsing an event stream
enum EventStreamMessage {
    /// A comment: it keeps proxies from closing, and makes browsers take the head.
    static let keepAlive = ByteBuffer(string: ":\n\n")

    /// Without data it is no event, but its id is kept.
    /// HTML, 9.2.6 Interpreting an event stream
    static func keepAlive(at position: String) -> ByteBuffer { ByteBuffer(string: ":\nid: \(position)\n\n") }

    /// Distinct connections mode
    static let complete = ByteBuffer(string: "event: complete\ndata:\n\n")

    /// Distinct connections mode
    static func next(_ response: GraphQL.Response) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(response.body.count + 96)
        // A returning client sends this id as Last-Event-ID. HTML, 9.2.4 The Last-Event-ID header
        if let position = response.position { bytes.writeString("id: \(position)\n") }
        bytes.writeStaticString("event: next\ndata: ")
        bytes.writeBytes(response.body)
        bytes.writeStaticString("\n\n")
        return bytes
    }

    /// Single connection mode
    static func complete(_ id: String) -> ByteBuffer {
        var json = JSONWriter(capacity: 64)
        json.append("event: complete\ndata: {\"id\":")
        json.write(id)
        json.append("}\n\n")
        return json.buffer
    }

    /// Single connection mode
    static func next(_ id: String, _ response: GraphQL.Response) -> ByteBuffer {
        var json = JSONWriter(capacity: response.body.count + id.utf8.count + 64)
        json.append("event: next\ndata: {\"id\":")
        json.write(id)
        json.append(",\"payload\":")
        json.append(response.body)
        json.append("}\n\n")
        return json.buffer
    }
}

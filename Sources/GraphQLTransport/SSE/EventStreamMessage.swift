import GraphQL
import NIOCore

/// The encoded events of graphql-sse's two modes. A response is one line of JSON.
/// graphql-sse, Event stream; HTML, 9.2.5 Parsing an event stream
enum EventStreamMessage {
    /// A comment, which keeps a proxy from closing the stream, and lets a browser process the response's head.
    static let keepAlive = ByteBuffer(string: ":\n\n")

    /// A comment with an `id` line. Without data a client dispatches no event, but it keeps the ID.
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

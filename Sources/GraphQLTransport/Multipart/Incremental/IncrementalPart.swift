import GraphQL
import NIOCore

/// The encoded parts of a response that is delivered incrementally. Each part is followed at once by the next
/// delimiter, since only the delimiter tells a client that the part has ended.
/// GraphQL over HTTP: RFC Incremental Delivery; RFC 2046, 5.1.1 Common Syntax
enum IncrementalPart {
    static let opening = ByteBuffer(string: "\r\n---")
    /// The suffix that turns the last delimiter into the closing delimiter.
    static let closing = ByteBuffer(string: "--\r\n")

    static func next(_ response: GraphQL.Response) -> ByteBuffer {
        part(capacity: response.body.count) { $0.append(response.body) }
    }

    /// The part for an error of the transport, which is the last.
    static func failure(_ errors: [GraphQLError]) -> ByteBuffer {
        part(capacity: 256) { json in
            json.append("{\"errors\":")
            json.write(errors)
            json.append(",\"hasNext\":false}")
        }
    }

    private static func part(capacity: Int, _ write: (inout JSONWriter) -> Void) -> ByteBuffer {
        var json = JSONWriter(capacity: capacity + 80)
        json.append("\r\nContent-Type: application/json; charset=utf-8\r\n\r\n")
        write(&json)
        json.append("\r\n---")
        return json.buffer
    }
}

import GraphQL
import NIOCore

/// The encoded parts of a multipart subscription. Each part is followed at once by the next delimiter, since only the
/// delimiter tells a client that the part has ended.
/// Apollo, Multipart HTTP protocol for GraphQL subscriptions; RFC 2046, 5.1.1 Common Syntax
enum SubscriptionPart {
    static let opening = ByteBuffer(string: "\r\n--graphql")
    static let heartbeat = part(capacity: 2) { $0.append("{}") }
    /// The suffix that turns the last delimiter into the closing delimiter.
    static let closing = ByteBuffer(string: "--\r\n")

    static func next(_ response: GraphQL.Response) -> ByteBuffer {
        part(capacity: response.body.count + 16) { json in
            json.append("{\"payload\":")
            json.append(response.body)
            json.append(UInt8(ascii: "}"))
        }
    }

    /// The part for an error of the transport, which is the last.
    static func failure(_ errors: [GraphQLError]) -> ByteBuffer {
        part(capacity: 256) { json in
            json.append("{\"payload\":null,\"errors\":")
            json.write(errors)
            json.append(UInt8(ascii: "}"))
        }
    }

    private static func part(capacity: Int, _ write: (inout JSONWriter) -> Void) -> ByteBuffer {
        var json = JSONWriter(capacity: capacity + 64)
        json.append("\r\nContent-Type: application/json\r\n\r\n")
        write(&json)
        json.append("\r\n--graphql")
        return json.buffer
    }
}

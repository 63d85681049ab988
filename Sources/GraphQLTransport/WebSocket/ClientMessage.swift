import GraphQL
import NIOCore

/// A message from the client.
/// graphql-transport-ws, Message types
enum ClientMessage: Equatable {
    case connectionInit(InputObject?)
    case ping(InputObject?)
    case pong(InputObject?)
    case subscribe(id: String, GraphQLRequest)
    case complete(id: String)

    init(_ bytes: ByteBuffer, maxDepth: Int = 64) throws(InvalidMessage) {
        guard case .object(let message) = try Self.json(bytes, maxDepth) else {
            throw InvalidMessage("A message is a JSON object")
        }
        guard case .string(let type)? = message["type"] else {
            throw InvalidMessage("The message has no \"type\"")
        }
        switch type {
        case "connection_init": self = .connectionInit(try Self.payload(of: message))
        case "ping": self = .ping(try Self.payload(of: message))
        case "pong": self = .pong(try Self.payload(of: message))
        case "subscribe": self = .subscribe(id: try Self.id(of: message), try Self.request(of: message))
        case "complete": self = .complete(id: try Self.id(of: message))
        case "connection_ack", "next", "error": throw InvalidMessage("A client does not send \"\(type)\"")
        default: throw InvalidMessage("Unknown message type")
        }
    }

    private static func json(_ bytes: ByteBuffer, _ maxDepth: Int) throws(InvalidMessage) -> InputValue {
        let result = bytes.withUnsafeReadableBytes { bytes in
            Result { () throws(JSONError) in try parseJSON(bytes, maxDepth: maxDepth) }
        }
        do { return try result.get() } catch {
            // Valid JSON is UTF-8, so only a message that is not JSON is checked.
            let isUTF8 = String(validating: bytes.readableBytesView, as: UTF8.self) != nil
            throw InvalidMessage("The message is not JSON", isUTF8: isUTF8)
        }
    }

    private static func id(of message: InputObject) throws(InvalidMessage) -> String {
        guard case .string(let id)? = message["id"], !id.isEmpty else {
            throw InvalidMessage("The message's \"id\" is not a string, or it is empty")
        }
        return id
    }

    /// The payload of a message that need not have one; nil where the payload is null or absent.
    private static func payload(of message: InputObject) throws(InvalidMessage) -> InputObject? {
        switch message["payload"] {
        case nil, .null?: return nil
        case .object(let payload)?: return payload
        default: throw InvalidMessage("The message's \"payload\" is not an object")
        }
    }

    private static func request(of message: InputObject) throws(InvalidMessage) -> GraphQLRequest {
        guard case .object? = message["payload"], let payload = message["payload"] else {
            throw InvalidMessage("The message's \"payload\" is not an object")
        }
        let request: GraphQLRequest
        do { request = try GraphQLRequest(json: payload) } catch { throw InvalidMessage("payload: \(error.message)") }
        // A trusted document or a persisted query is named in place of its text.
        if request.query == nil && request.documentID == nil && request.extensions["persistedQuery"] == nil {
            throw InvalidMessage("The payload has no \"query\"")
        }
        return request
    }
}

struct InvalidMessage: Error, Equatable {
    let reason: CloseReason

    init(_ text: String, isUTF8: Bool = true) { reason = isUTF8 ? .invalidMessage(text) : .notUTF8 }
}

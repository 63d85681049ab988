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

    /// The ids of refusals that the same request would get again; no position of a stream may have such a text. A client
    /// that reconnects with one is answered `endOfReconnects`. One that could not sign in until then may do so.
    static let lastingRefusalID = "refused"
    static let signedOutID = "signed-out"

    /// Distinct connections mode
    /// - Parameter hasCredentials: whether the request has credentials, which the client may renew.
    static func failure(_ errors: [GraphQLError], hasCredentials: Bool) -> ByteBuffer {
        next(GraphQL.Response(RequestError(errors)), id: refusalID(errors.first?.code, hasCredentials: hasCredentials))
    }

    /// nil for a refusal that may pass, as those with codes that a schema adds. FORBIDDEN and NOT_FOUND pass seldom, and
    /// end an `EventSource` as 403 and 404 do. An `EventSource` cannot sign in.
    private static func refusalID(_ code: String?, hasCredentials: Bool) -> String? {
        switch code.map(ErrorCode.init(rawValue:)) {
        case .parseFailed, .validationFailed, .operationResolutionFailed, .badUserInput, .persistedQueryNotSupported,
            .documentNotTrusted, .queryTooComplex, .forbidden, .notFound, .cursorExpired:
            lastingRefusalID
        case .unauthenticated where !hasCredentials: signedOutID
        default: nil
        }
    }

    /// Distinct connections mode
    static let complete = ByteBuffer(string: "event: complete\ndata:\n\n")

    /// Distinct connections mode
    /// - Parameter id: a returning client sends it as Last-Event-ID. HTML, 9.2.4 The Last-Event-ID header
    static func next(_ response: GraphQL.Response, id: String?) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(response.body.count + 96)
        if let id { bytes.writeString("id: \(id)\n") }
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

extension GraphQLAnswer {
    /// The status that ends an `EventSource`, which reconnects after the end of every response of type
    /// text/event-stream.
    /// HTML, 9.2.1 Introduction
    static let endOfReconnects = GraphQLAnswer(status: .noContent, contentType: "", body: [])
}

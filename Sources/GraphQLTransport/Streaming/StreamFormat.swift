import GraphQL
import NIOCore

/// The format of a streamed response.
enum StreamFormat: Equatable {
    /// Server-sent events in graphql-sse's distinct connections mode, for operations of any type.
    case eventStream
    /// Apollo's multipart protocol, for subscriptions only.
    case multipart
    /// Incremental delivery, with a part for each payload of a query or mutation.
    case incremental(IncrementalFormat)

    /// The format of a response in several parts.
    var incrementalFormat: IncrementalFormat {
        if case .incremental(let format) = self { format } else { .current }
    }

    var contentType: String {
        switch self {
        case .eventStream: "text/event-stream; charset=utf-8"
        case .multipart: "multipart/mixed;boundary=graphql;subscriptionSpec=1.0"
        case .incremental(.current): "multipart/mixed;boundary=\"-\";incrementalSpec=v0.2"
        case .incremental(.deferSpec): "multipart/mixed;boundary=\"-\";deferSpec=20220824"
        }
    }

    var opening: ByteBuffer {
        switch self {
        case .eventStream: EventStreamMessage.keepAlive
        case .multipart: SubscriptionPart.opening
        case .incremental: IncrementalPart.opening
        }
    }

    func next(_ response: GraphQL.Response) -> ByteBuffer {
        switch self {
        case .eventStream: EventStreamMessage.next(response, id: response.position)
        case .multipart: SubscriptionPart.next(response)
        case .incremental: IncrementalPart.next(response)
        }
    }

    /// The message with the errors that end the stream.
    func failure(_ errors: [GraphQLError], to head: RequestHead) -> ByteBuffer {
        switch self {
        case .eventStream: EventStreamMessage.failure(errors, hasCredentials: head.authorization != nil)
        case .multipart: SubscriptionPart.failure(errors)
        case .incremental: IncrementalPart.failure(errors)
        }
    }

    var completion: ByteBuffer {
        switch self {
        case .eventStream: EventStreamMessage.complete
        case .multipart: SubscriptionPart.closing
        case .incremental: IncrementalPart.closing
        }
    }

    /// The message that keeps a silent stream alive; nil for incremental delivery, which ends before it would need one.
    /// - Parameter position: the cursor from which a client resumes that has received everything so far.
    func keepAlive(at position: String?) -> ByteBuffer? {
        switch self {
        case .eventStream: position.map(EventStreamMessage.keepAlive(at:)) ?? EventStreamMessage.keepAlive
        case .multipart: SubscriptionPart.heartbeat
        case .incremental: nil
        }
    }
}

import GraphQL
import NIOCore

/// How a response that goes on is written.
enum StreamFormat: Equatable {
    /// Server-sent events, in distinct connections mode: any operation.
    case eventStream
    /// Apollo's: subscriptions alone.
    case multipart
    /// Incremental delivery: a part for each payload of a query or mutation.
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
        case .incremental(.deferSpec20220824): "multipart/mixed;boundary=\"-\";deferSpec=20220824"
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
        case .eventStream: EventStreamMessage.next(response)
        case .multipart: SubscriptionPart.next(response)
        case .incremental: IncrementalPart.next(response)
        }
    }

    /// Why there is nothing more to come.
    func failure(_ errors: [GraphQLError]) -> ByteBuffer {
        switch self {
        case .eventStream: EventStreamMessage.next(GraphQL.Response(RequestError(errors)))
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

    /// nil where the protocol has none, and is not waited for so long.
    /// - Parameter position: where a client goes on that has got everything so far.
    func keepAlive(at position: String?) -> ByteBuffer? {
        switch self {
        case .eventStream: position.map(EventStreamMessage.keepAlive(at:)) ?? EventStreamMessage.keepAlive
        case .multipart: SubscriptionPart.heartbeat
        case .incremental: nil
        }
    }
}

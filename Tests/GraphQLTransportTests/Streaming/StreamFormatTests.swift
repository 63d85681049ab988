import GraphQL
import Testing

@testable import GraphQLTransport

struct StreamFormatTests {
    @Test(
        arguments: [
            ("text/event-stream", StreamFormat.eventStream, StreamFormat.eventStream),
            ("text/event-stream, application/json", .eventStream, .eventStream),
            ("text/event-stream, */*", .eventStream, .eventStream),
            ("application/json, text/event-stream", nil, .eventStream),
            ("text/event-stream;q=0.1, application/json", nil, .eventStream),
            ("multipart/mixed;subscriptionSpec=1.0", nil, .multipart),
            ("application/json, multipart/mixed;boundary=\"graphql\";subscriptionSpec=\"1.0\"", nil, .multipart),
            ("multipart/mixed;subscriptionSpec=2.0, application/json", nil, nil),
            ("multipart/mixed;deferSpec=20220824, application/json", nil, nil),
        ] as [(String, StreamFormat?, StreamFormat?)])
    func followsFromAcceptAndOperation(_ accept: String, _ query: StreamFormat?, _ subscription: StreamFormat?) {
        #expect(StreamFormat.preferred(accept: accept, type: { .query }) == query)
        #expect(StreamFormat.preferred(accept: accept, type: { nil }) == query)
        #expect(StreamFormat.preferred(accept: accept, type: { .subscription }) == subscription)
    }

    @Test(
        arguments: [
            ("multipart/mixed", StreamFormat.incremental(.current), StreamFormat.incremental(.current)),
            ("multipart/mixed;incrementalSpec=v0.2, application/json", nil, .incremental(.current)),
            (
                "multipart/mixed;deferSpec=20220824,application/graphql-response+json,application/json;q=0.9", nil,
                .incremental(.deferSpec20220824)
            ),
            ("multipart/mixed;deferSpec=20220824", .incremental(.deferSpec20220824), .incremental(.deferSpec20220824)),
            ("application/json, text/event-stream, multipart/mixed", nil, .incremental(.current)),
            ("text/event-stream, multipart/mixed", .eventStream, .eventStream),
            ("multipart/mixed;incrementalSpec=v0.3, application/json", nil, nil),
            ("multipart/mixed;q=0, application/json", nil, nil),
            ("multipart/mixed;subscriptionSpec=1.0, application/json", nil, nil),
            ("application/json, text/event-stream;q=0.5", nil, nil),
            ("application/json, */*", nil, nil),
        ] as [(String, StreamFormat?, StreamFormat?)])
    func partsGoToThoseWhoNameThem(_ accept: String, _ whole: StreamFormat?, _ inParts: StreamFormat?) {
        #expect(StreamFormat.preferred(accept: accept, type: { .query }) == whole)
        #expect(StreamFormat.preferred(accept: accept, type: { .query }, isIncremental: { true }) == inParts)
    }

    @Test func aClientThatTakesAnythingWishesForNoStream() {
        #expect(!StreamFormat.isNamed(accept: "*/*"))
        #expect(!StreamFormat.isNamed(accept: "application/json, text/*"))
        #expect(!StreamFormat.isAcceptable("multipart/mixed;subscriptionSpec=7"))
        #expect(!StreamFormat.isAcceptable("multipart/mixed;deferSpec=1"))
        #expect(StreamFormat.isAcceptable("multipart/mixed;deferSpec=20220824"))
        #expect(StreamFormat.isAcceptable("multipart/mixed;subscriptionSpec=1.0"))
    }
}

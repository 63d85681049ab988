import GraphQL
import Testing

@testable import GraphQLTransport

struct AcceptedResponsesTests {
    @Test(
        arguments: [
            ("text/event-stream", StreamFormat.eventStream, StreamFormat.eventStream),
            ("text/event-stream, application/json", .eventStream, .eventStream),
            ("text/event-stream, */*", .eventStream, .eventStream),
            ("application/json, text/event-stream", nil, .eventStream),
            ("text/event-stream;q=0.1, application/json", nil, .eventStream),
            ("Text/Event-Stream", .eventStream, .eventStream),
            ("multipart/mixed;subscriptionSpec=1.0", nil, .multipart),
            ("Multipart/Mixed;SubscriptionSpec=1.0", nil, .multipart),
            ("application/json, multipart/mixed;boundary=\"graphql\";subscriptionSpec=\"1.0\"", nil, .multipart),
            ("multipart/mixed;subscriptionSpec=2.0, application/json", nil, nil),
            ("multipart/mixed;deferSpec=20220824, application/json", nil, nil),
        ] as [(String, StreamFormat?, StreamFormat?)])
    func followsFromAcceptAndOperation(_ accept: String, _ query: StreamFormat?, _ subscription: StreamFormat?) {
        #expect(AcceptedResponses(accept).streamFormat(of: .query) == query)
        #expect(AcceptedResponses(accept).streamFormat(of: .subscription) == subscription)
    }

    @Test(
        arguments: [
            ("multipart/mixed", StreamFormat.incremental(.current), StreamFormat.incremental(.current)),
            ("multipart/mixed;incrementalSpec=v0.2, application/json", nil, .incremental(.current)),
            (
                "multipart/mixed;deferSpec=20220824,application/graphql-response+json,application/json;q=0.9", nil,
                .incremental(.deferSpec)
            ),
            ("multipart/mixed;deferSpec=20220824", .incremental(.deferSpec), .incremental(.deferSpec)),
            ("application/json, text/event-stream, multipart/mixed", nil, .incremental(.current)),
            ("text/event-stream, multipart/mixed", .eventStream, .eventStream),
            ("multipart/mixed;incrementalSpec=v0.3, application/json", nil, nil),
            ("multipart/mixed;q=0, application/json", nil, nil),
            ("multipart/mixed;subscriptionSpec=1.0, application/json", nil, nil),
            ("application/json, text/event-stream;q=0.5", nil, nil),
            ("application/json, */*", nil, nil),
        ] as [(String, StreamFormat?, StreamFormat?)])
    func partsGoToThoseWhoNameThem(_ accept: String, _ whole: StreamFormat?, _ inParts: StreamFormat?) {
        #expect(AcceptedResponses(accept).streamFormat(of: .query) == whole)
        #expect(AcceptedResponses(accept).streamFormat(of: .query, isIncremental: true) == inParts)
    }

    /// RFC 9110, 8.3.1: type, subtype and names of parameters are case-insensitive.
    @Test(arguments: ["Text/Event-Stream", "Multipart/Mixed", "MULTIPART/*;SUBSCRIPTIONSPEC=1.0"])
    func theCaseOfAStreamsNameDoesNotMatter(_ accept: String) {
        #expect(AcceptedResponses(accept).namesStream)
        #expect(AcceptedResponses(accept).takesStream)
    }

    @Test func aClientThatTakesAnythingWishesForNoStream() {
        #expect(!AcceptedResponses("*/*").namesStream)
        #expect(!AcceptedResponses("application/json, text/*").namesStream)
        #expect(!AcceptedResponses("multipart/mixed;subscriptionSpec=7").takesStream)
        #expect(!AcceptedResponses("multipart/mixed;deferSpec=1").takesStream)
        #expect(AcceptedResponses("multipart/mixed;deferSpec=20220824").takesStream)
        #expect(AcceptedResponses("multipart/mixed;subscriptionSpec=1.0").takesStream)
    }

    @Test(
        arguments: [
            (nil, GraphQLMediaType.json), ("", .json), ("*/*", .json), ("application/*", .json),
            ("application/graphql-response+json", .graphQLResponse),
            ("application/graphql-response+json, application/json;q=0.9", .graphQLResponse),
            ("application/json;q=0.9, application/graphql-response+json", .graphQLResponse),
            ("application/json, application/graphql-response+json", .json),
            ("application/graphql-response+json, application/json", .graphQLResponse),
            ("application/graphql-response+json;q=0.1, */*;q=0.5", .json),
            ("application/json;q=0, */*", .graphQLResponse), ("text/html, */*;q=0.8", .json),
            ("APPLICATION/JSON; charset=UTF-8", .json), ("broken, application/json", .json),
        ] as [(String?, GraphQLMediaType)])
    func prefersWhatTheClientPrefers(_ accept: String?, _ expected: GraphQLMediaType) {
        #expect(AcceptedResponses(accept).mediaType == expected)
    }

    @Test(arguments: ["text/html", "application/json;q=0", "*/*;q=0", "application/json; charset=latin1", "image/*"])
    func findsNothing(_ accept: String) { #expect(AcceptedResponses(accept).mediaType == nil) }

    @Test(arguments: [
        ("text/html", true), ("Text/HTML", true),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true),
        ("application/json, text/html;q=0.1", false), ("*/*", false),
    ])
    func tellsABrowserFromAClient(_ accept: String, _ isBrowser: Bool) {
        #expect(AcceptedResponses(accept).prefersPage == isBrowser)
    }

    /// What is not parsed is read alike.
    @Test(arguments: [nil, "", "*/*", "application/json", "application/graphql-response+json"] as [String?])
    func whatMostClientsSayIsKnown(_ accept: String?) throws {
        let (known, read) = (try #require(AcceptedResponses.common(accept)), AcceptedResponses(accept))
        #expect(known.mediaType == read.mediaType)
        #expect(known.takesText == read.takesText)
        #expect(known.prefersPage == read.prefersPage)
        #expect(known.namesStream == read.namesStream)
        #expect(known.takesStream == read.takesStream)
        #expect(known.prefersEventStream == read.prefersEventStream)
    }
}

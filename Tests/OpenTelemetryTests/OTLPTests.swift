import FoundationEssentials
import GraphQL
import Testing
import Tracing
import W3CTraceContext

@testable import OpenTelemetry

@Suite struct OTLPTests {
    private struct Instant: TracerInstant {
        let nanosecondsSinceEpoch: UInt64

        static func < (left: Self, right: Self) -> Bool { left.nanosecondsSinceEpoch < right.nanosecondsSinceEpoch }
    }

    private let caller = TraceContext(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")

    @Test func hasTheMembersOfTheProtocol() throws {
        let queue = SpanQueue()
        var context = InstrumentationContext.topLevel
        context.span = try SpanIdentity(#require(caller))
        context.chosenSpan = SpanIdentity(traceID: "4bf92f3577b34da6a3ce929d0e0e4736", spanID: "aaaaaaaaaaaaaaaa")
        let span = OTLPTracer(queue).startSpan(
            "query \"Feed\"", context: context, ofKind: .server, at: Instant(nanosecondsSinceEpoch: 5_000_000_001))
        span.attributes["rows"] = 20 as Int
        span.attributes["fields"] = SpanAttribute.stringArray(["a", "b"])
        span.setStatus(SpanStatus(code: .error, message: "late"))
        span.end(at: Instant(nanosecondsSinceEpoch: 5_000_000_009))
        let resource = OTLP.Resource([(name: "service.name", value: "tertulia")])
        let request = OTLP.exportRequest(queue.take(atMost: 9), resource)
        // Objects are equal with their members in any order.
        let json = try parseJSON(request)
        let expected = #"""
            {"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"tertulia"}}]},\#
            "scopeSpans":[{"scope":{"name":"tertulia"},"spans":[{"attributes":[{"key":"fields","value":{"arrayValue":\#
            {"values":[{"stringValue":"a"},{"stringValue":"b"}]}}},{"key":"rows","value":{"intValue":"20"}}],\#
            "endTimeUnixNano":"5000000009","kind":2,"name":"query \"Feed\"",\#
            "parentSpanId":"00f067aa0ba902b7","spanId":"aaaaaaaaaaaaaaaa","startTimeUnixNano":"5000000001",\#
            "status":{"code":2,"message":"late"},"traceId":"4bf92f3577b34da6a3ce929d0e0e4736"}]}]}]}
            """#
        #expect(try json == parseJSON(Array(expected.utf8)))
    }

    @Test(arguments: [
        (#"{}"#, 0), ("", 0), (#"{"partialSuccess":{}}"#, 0), (#"{"partialSuccess":{"rejectedSpans":"3"}}"#, 3),
        (#"{"partialSuccess":{"rejectedSpans":2,"errorMessage":"no"}}"#, 2),
    ])
    func readsTheRejected(_ answer: String, _ rejected: Int) {
        #expect(OTLP.rejectedSpans(Data(answer.utf8)) == rejected)
    }

    @Test func passesTheContextOn() throws {
        struct Fields: Extractor, Injector {
            func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
            func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
                carrier[key] = value
            }
        }
        let tracer = OTLPTracer(SpanQueue())
        let received = ["traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"]
        var context = InstrumentationContext.topLevel
        tracer.extract(received, into: &context, using: Fields())
        var sent: [String: String] = [:]
        tracer.inject(context, into: &sent, using: Fields())
        #expect(sent == received)
        let child = try #require(tracer.startSpan("child", context: context).context.span)
        #expect(child.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(child.spanID != "00f067aa0ba902b7")
    }
}

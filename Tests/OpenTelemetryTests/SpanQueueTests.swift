import Testing
import Tracing

@testable import OpenTelemetry

@Suite struct SpanQueueTests {
    @Test func dropsSpansWithoutRoom() {
        let queue = SpanQueue(capacity: 3)
        let tracer = OTLPTracer(queue)
        for number in 1...5 { tracer.startSpan("span \(number)", context: .topLevel).end() }
        #expect(queue.count == 3)
        #expect(queue.dropped == 2)
        #expect(queue.take(atMost: 2).map(\.name) == ["span 1", "span 2"])
        tracer.startSpan("span 6", context: .topLevel).end()
        #expect(queue.take(atMost: 9).map(\.name) == ["span 3", "span 6"])
        #expect(queue.take(atMost: 9).isEmpty)
    }

    @Test func getsASpanOnce() {
        let queue = SpanQueue()
        let span = OTLPTracer(queue).startSpan("span", context: .topLevel)
        #expect(span.isRecording)
        #expect(queue.count == 0)
        span.end()
        span.end()
        #expect(!span.isRecording)
        #expect(queue.count == 1)
    }
}

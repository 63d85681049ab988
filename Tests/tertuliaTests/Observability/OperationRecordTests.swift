import Testing

@testable import GraphQLTransport
@testable import OpenTelemetry
@testable import tertulia

@Suite struct OperationRecordTests {
    private let queue = SpanQueue()

    private var trace: OperationRecord.Trace {
        OperationRecord.Trace(
            tracer: OTLPTracer(queue), span: SpanIdentity(traceID: "t", spanID: "s"),
            parent: SpanIdentity(traceID: "t", spanID: "p"))
    }

    private func names(below span: FinishedSpan, in spans: [FinishedSpan]) -> [String] {
        spans.filter { $0.parent == span.identity }.map(\.name)
    }

    @Test func becomesSpans() async throws {
        let record = OperationRecord(.make(), trace: trace, slowOperations: nil)
        let now = ContinuousClock.now
        record.prepared(
            parsing: now..<now + .milliseconds(1), validation: now + .milliseconds(1)..<now + .milliseconds(2))
        record.identified(IdentifiedOperation(type: .query, name: "Feed", documentHash: "abc"))
        await record.execute { () async in
            await record.resolveLevel(of: ["feed", "viewer"]) {}
            await record.resolveLevel(of: ["author"]) {}
        }
        #expect(queue.count == 0)
        let answer = AnsweredOperation(outcome: .partial, errorCodes: ["NOT_FOUND"], duration: .milliseconds(3))
        record.answered(answer)
        record.answered(answer)
        let spans = queue.take(atMost: 99)
        let root = try #require(spans.first { $0.name == "query Feed" })
        #expect(spans.count == 5)
        #expect(root.identity == SpanIdentity(traceID: "t", spanID: "s"))
        #expect(root.parent == SpanIdentity(traceID: "t", spanID: "p"))
        #expect(root.status == nil)
        #expect(names(below: root, in: spans) == ["parse", "validate", "level 1", "level 2"])
        #expect(root.attributes.get("error.type") == .string("NOT_FOUND"))
        #expect(root.attributes.get("tertulia.outcome") == .string("partial"))
    }

    @Test func levelsHaveALimit() async throws {
        let record = OperationRecord(.make(), trace: trace, slowOperations: nil)
        await record.execute { () async in
            for _ in 0..<300 { await record.resolveLevel(of: ["feed"]) {} }
        }
        record.answered(AnsweredOperation(outcome: .success, errorCodes: [], duration: .milliseconds(3)))
        let spans = queue.take(atMost: 999)
        #expect(spans.count { $0.name.hasPrefix("level ") } == 256)
    }

    @Test func endsWithoutAnAnswer() throws {
        var record: OperationRecord? = OperationRecord(.make(), trace: trace, slowOperations: nil)
        record?.identified(IdentifiedOperation(type: .mutation, name: nil, documentHash: "abc"))
        record = nil
        let span = try #require(queue.take(atMost: 9).first)
        #expect(span.name == "mutation")
        #expect(span.status?.code == .error)
    }

    @Test func anUnsampledOneHasNoSpans() {
        let record = OperationRecord(.make(), trace: nil, slowOperations: nil)
        record.answered(AnsweredOperation(outcome: .success, errorCodes: [], duration: .seconds(1)))
        #expect(queue.count == 0)
        #expect(record.logMetadata.isEmpty)
    }
}

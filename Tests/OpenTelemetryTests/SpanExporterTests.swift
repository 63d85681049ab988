import NIOHTTP1
import Testing
import Tracing

@testable import OpenTelemetry

@Suite struct SpanExporterTests {
    private let queue = SpanQueue()

    /// Exports a number of spans until nothing is left, and shuts the exporter down.
    private func export(_ count: Int, to url: String) async -> SpanExporter.Statistics {
        await withExporter(url) { exporter in
            for number in 1...count { OTLPTracer(queue).startSpan("span \(number)", context: .topLevel).end() }
            while exporter.statistics.sum < count { _ = try? await exporter.export() }
        }
    }

    private func withExporter(_ url: String, _ body: (SpanExporter) async -> Void) async -> SpanExporter.Statistics {
        var settings = SpanExporter.Settings()
        settings.batch = 4
        settings.attempts = 3
        // A busy machine takes longer than the default for the last spans.
        settings.flushLimit = .seconds(60)
        let exporter = SpanExporter(queue, to: url, resource: [("service.name", "test")], settings: settings)
        await body(exporter)
        await exporter.shutdown()
        return exporter.statistics
    }

    @Test func sendsBatches() async throws {
        let collector = TestCollector([(.ok, "{}")])
        let statistics = try await collector.run { await export(10, to: $0 + "/") }
        #expect(statistics == .init(exported: 10))
        let requests = collector.requests
        #expect(requests.map(\.path) == ["/v1/traces", "/v1/traces", "/v1/traces"])
        #expect(requests.map { $0.body.split(separator: "\"spanId\"").count - 1 } == [4, 4, 2])
    }

    @Test func countsTheRefused() async throws {
        let collector = TestCollector([
            (.ok, #"{"partialSuccess":{"rejectedSpans":"3"}}"#), (.badRequest, ""), (.ok, ""),
        ])
        let statistics = try await collector.run { await export(9, to: $0) }
        #expect(statistics == .init(exported: 2, refused: 7))
        #expect(collector.requests.count == 3)
    }

    @Test func triesAgain() async throws {
        let collector = TestCollector([(.serviceUnavailable, ""), (.tooManyRequests, ""), (.ok, "")])
        let statistics = try await collector.run { await export(4, to: $0) }
        #expect(statistics == .init(exported: 4))
        #expect(collector.requests.count == 3)
        #expect(Set(collector.requests.map(\.body)).count == 1)
    }

    @Test func aLongAnswerIsAnAnswer() async throws {
        let collector = TestCollector([(.ok, String(repeating: " ", count: 100_000))])
        let statistics = try await collector.run { await export(4, to: $0) }
        #expect(statistics == .init(exported: 4))
        #expect(collector.requests.count == 1)
    }

    @Test func givesUp() async throws {
        let collector = TestCollector([(.serviceUnavailable, "")])
        let statistics = try await collector.run { await export(8, to: $0) }
        #expect(statistics == .init(undelivered: 8))
        #expect(collector.requests.count == 6)
    }

    @Test func doesWithoutACollector() async {
        // No program listens on port 1 of the loopback interface.
        let statistics = await export(5, to: "http://127.0.0.1:1")
        #expect(statistics == .init(undelivered: 5))
    }

    @Test func sendsTheLastSpansAtTheEnd() async throws {
        let collector = TestCollector([(.ok, "")])
        let statistics = try await collector.run { url in
            await withExporter(url) { _ in
                for number in 1...9 { OTLPTracer(queue).startSpan("span \(number)", context: .topLevel).end() }
            }
        }
        #expect(statistics == .init(exported: 9))
    }
}

extension SpanExporter.Statistics {
    fileprivate var sum: Int { exported + refused + undelivered }
}

import GraphQL
import GraphQLTransport
import Logging
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20)))
struct OperationObserverTests {
    private final class Told: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }

        /// The lines, once they have this one so many times.
        func until(_ line: String, times: Int = 1) async throws -> [String] {
            while all.count(where: { $0 == line }) < times { try await Task.sleep(for: .milliseconds(5)) }
            return all
        }
    }

    private final class Recorder: OperationObserver {
        private let told: Told

        init(_ told: Told) { self.told = told }

        deinit { told.add("released") }

        var detail: ObservationDetail { .levels }
        var logMetadata: Logger.Metadata { ["trace_id": "a trace"] }

        func prepared(parsing: Range<ContinuousClock.Instant>, validation: Range<ContinuousClock.Instant>?) {
            told.add(validation == nil ? "not parsed" : "prepared")
        }

        func identified(_ operation: IdentifiedOperation) {
            told.add("\(operation.type) \(operation.name ?? "-") \(operation.documentHash.count)")
        }

        func execute<R: Sendable, Failure: Error>(
            _ body: () async throws(Failure) -> R
        ) async throws(Failure) -> R {
            told.add("executed")
            return try await body()
        }

        func resolveLevel<R: Sendable>(of fields: [String], _ body: () async -> R) async -> R {
            told.add("level of \(fields.joined(separator: " "))")
            return await body()
        }

        func answered(_ answer: AnsweredOperation) {
            told.add("\(answer.outcome) \(answer.errorCodes.joined()) \(answer.duration > .zero)")
        }
    }

    @Test func followsAQuery() async throws {
        let told = Told()
        try await TestServer.run {
            $0.observeOperation = { _ in Recorder(told) }
        } _: { (server) async throws in
            for _ in 1...2 { _ = try await server.post(#"{"query":"query Slow { slow(milliseconds: 1) }"}"#) }
            #expect(
                try await told.until("released", times: 2) == [
                    "prepared", "query Slow 64", "executed", "level of slow", "success  true", "released",
                    "query Slow 64", "executed", "level of slow", "success  true", "released",
                ])
            #expect(try await server.log.line(with: #""trace_id":"a trace""#) != nil)
        }
    }

    @Test func hearsOfRefusals() async throws {
        let told = Told()
        try await TestServer.run {
            $0.observeOperation = { _ in Recorder(told) }
        } _: { (server) async throws in
            _ = try await server.post(#"{"query":"{"}"#)
            _ = try await server.post(#"{"query":"{ nothing }"}"#)
        }
        #expect(
            try await told.until("released", times: 2) == [
                "not parsed", "refused GRAPHQL_PARSE_FAILED true", "released", "prepared",
                "refused GRAPHQL_VALIDATION_FAILED true", "released",
            ])
    }

    @Test func observesWhatIsChosen() async throws {
        let told = Told()
        try await TestServer.run {
            $0.observeOperation = { head in head.traceContext?.isSampled == true ? Recorder(told) : nil }
        } _: { (server) async throws in
            _ = try await server.post(#"{"query":"{ hello }"}"#)
            #expect(told.all.isEmpty)
            let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            _ = try await server.post(#"{"query":"{ hello }"}"#, [("traceparent", trace)])
            #expect(try await told.until("released") == ["query - 64", "success  true", "released"])
        }
    }

    @Test func goesWithTheObserverOfThePlan() async throws {
        final class Plan: ExecutionObserver {
            var extensions: [(name: String, value: InputValue)] { [("plan", .int(1))] }
        }
        let told = Told()
        try await TestServer.run {
            $0.observe = { _ in Plan() }
            $0.observeOperation = { _ in Recorder(told) }
        } _: { (server) async throws in
            let reply = try await server.post(
                #"{"query":"{ slow(milliseconds: 0) }","extensions":{"plan":true}}"#)
            #expect(reply.json["extensions"]?["plan"] == .int(1))
            #expect(try await told.until("released").contains("level of slow"))
        }
    }

    @Test func followsASubscriptionToItsStreamAndItsEventsApart() async throws {
        let (told, events) = (Told(), Told())
        try await TestServer.run {
            $0.observeOperation = { _ in Recorder(told) }
            $0.observeEvent = { operation in
                events.add("event of \(operation.name ?? "-")")
                return Recorder(events)
            }
        } _: { (server) async throws in
            try await server.stream { (client) async throws in
                _ = try await client.post("subscription Down { countdown(from: 2) }", accept: "text/event-stream")
                _ = try await client.rest()
            }
            #expect(
                try await told.until("released")
                    == ["prepared", "subscription Down 64", "executed", "success  true", "released"])
        }
        #expect(events.all.count { $0 == "event of Down" } == 2)
        #expect(events.all.count { $0 == "executed" } == 2)
    }

    /// An error of the first part is not forgotten when a later part has another.
    @Test func hearsOfTheErrorsOfAllParts() async throws {
        let told = Told()
        try await TestServer.run {
            $0.observeOperation = { _ in Recorder(told) }
        } _: { (server) async throws in
            try await server.stream { (client) async throws in
                let query = #"{ broken ... @defer { gated(gate: \"parts with errors\") secret } }"#
                _ = try await client.post(query, accept: "multipart/mixed")
                _ = try await client.take(through: "\r\n---")
                Gate.named("parts with errors").open()
                _ = try await client.rest()
            }
            let lines = try await told.until("released")
            #expect(lines.contains("failed INTERNAL_SERVER_ERRORFORBIDDEN true"))
        }
    }

    /// The operation's time is over before it ends.
    @Test func isReleasedWithoutAnAnswer() async throws {
        let told = Told()
        try await TestServer.run {
            $0.settings.limits.executionTimeout = .milliseconds(50)
            $0.observeOperation = { _ in Recorder(told) }
        } _: { (server) async throws in
            let reply = try await server.post(#"{"query":"query Slow { slow(milliseconds: 60000) }"}"#)
            #expect(reply.errorCodes == ["TIMEOUT"])
            let lines = try await told.until("released")
            #expect(lines.contains("query Slow 64"))
            #expect(!lines.contains { $0.hasPrefix("success") })
        }
    }
}

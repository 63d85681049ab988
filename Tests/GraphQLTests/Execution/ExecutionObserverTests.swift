import GraphQL
import Synchronization
import Testing

@Suite struct ExecutionObserverTests {
    /// Writes down what it is told.
    private final class Recorder: ExecutionObserver {
        let detail: ObservationDetail
        private let name: String
        private let told: Told

        final class Told: Sendable {
            private let lines = Mutex<[String]>([])

            var all: [String] { lines.withLock { $0 } }
            func add(_ line: String) { lines.withLock { $0.append(line) } }
        }

        init(_ detail: ObservationDetail, in told: Told, name: String = "") {
            (self.detail, self.told, self.name) = (detail, told, name)
        }

        func execute<R: Sendable, Failure: Error>(
            _ body: () async throws(Failure) -> R
        ) async throws(Failure) -> R {
            told.add("\(name)began")
            let result = try await body()
            told.add("\(name)ended")
            return result
        }

        func resolveLevel<R: Sendable>(of fields: [String], _ body: () async -> R) async -> R {
            told.add("\(name)level of \(fields.joined(separator: " "))")
            return await body()
        }

        func start<R: Sendable>(_ field: ObservedField, _ body: () throws -> R) rethrows -> R {
            told.add("\(name)start \(field.path)")
            return try body()
        }

        func resolve<R: Sendable>(_ field: ObservedField, _ body: () async throws -> R) async rethrows -> R {
            told.add("\(name)resolve \(field.path)")
            return try await body()
        }

        var extensions: [(name: String, value: InputValue)] { [("\(name)told", .int(1))] }
    }

    private func told(_ detail: ObservationDetail, _ text: String) async throws -> [String] {
        let told = Recorder.Told()
        _ = try await execute(
            Fixture.plan(text), variables: [:], context: TestContext(), observer: Recorder(detail, in: told))
        return told.all
    }

    @Test func tellsWhatIsAsked() async throws {
        let text = "{ feed { author { name } } }"
        #expect(try await told(.execution, text) == ["began", "ended"])
        let levels = try await told(.levels, text)
        #expect(levels.first == "began" && levels.last == "ended")
        #expect(levels.contains("level of author author"))
        #expect(levels.allSatisfy { !$0.hasPrefix("resolve") })
        let fields = try await told(.fields, text)
        #expect(fields.contains("level of author author"))
        #expect(fields.contains("resolve feed.author"))
    }

    @Test func twoObserversAreNested() async throws {
        let told = Recorder.Told()
        let pair = ObserverPair(
            Recorder(.levels, in: told, name: "outer "), Recorder(.fields, in: told, name: "inner "))
        let response = try await execute(
            Fixture.plan("mutation { add(amount: 1) { value } }"), variables: [:], context: TestContext(),
            observer: pair)
        #expect(told.all.prefix(4) == ["outer began", "inner began", "outer level of add", "inner level of add"])
        #expect(told.all.suffix(2) == ["inner ended", "outer ended"])
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(text.hasSuffix(#""extensions":{"outer told":1,"inner told":1}}"#))
    }

    @Test func observesTheEventsOfASubscription() async throws {
        let told = Recorder.Told()
        let start = try await subscribe(
            Fixture.plan("subscription { thoughtAdded { id author { name } } }"), variables: [:],
            context: TestContext(), observer: Recorder(.levels, in: told, name: "source "),
            observeEvent: { Recorder(.levels, in: told) })
        guard case .stream(let stream) = start else { return #expect(Bool(false)) }
        for try await _ in stream {}
        #expect(
            told.all == [
                "source began", "source ended", "began", "level of author", "ended", "began", "ended",
            ])
    }
}

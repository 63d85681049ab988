import GraphQL
import Synchronization
import Testing

@Suite struct RoundTests {
    /// Lets callers go on once `expected` of them are there, or when their task is cancelled. Callers that come one after
    /// another never meet.
    private final class Meeting: Sendable {
        private let waiting = Mutex<[AsyncStream<Never>.Continuation]>([])
        private let expected: Int

        init(_ expected: Int) { self.expected = expected }

        func join() async {
            let (meeting, continuation) = AsyncStream.makeStream(of: Never.self)
            let ready = waiting.withLock { waiting in
                waiting.append(continuation)
                return waiting.count == expected ? waiting : []
            }
            for continuation in ready { continuation.finish() }
            for await _ in meeting {}
        }
    }

    private func schema(_ bind: (inout ObjectFields<Root, TestContext>) -> Void) throws -> ExecutableSchema<TestContext>
    {
        try ExecutableSchema(
            schema: buildSchema(parse(Source("type Query { a: Int b: Int c: Int! }"))),
            bindings: [ObjectBinding<Root, TestContext>("Query", bind)])
    }

    private func execute(_ text: String, _ schema: ExecutableSchema<TestContext>) async throws -> Response {
        let prepared = try PreparedOperation(parse(Source(text)), operationName: nil, schema: schema)
        return try await GraphQL.execute(
            prepared.plan(for: prepared.mask(for: [:])), variables: [:], context: TestContext())
    }

    @Test(.timeLimit(.minutes(5))) func batchesOfALevelRunTogether() async throws {
        let meeting = Meeting(3)
        let schema = try schema { query in
            for name in ["a", "b", "c"] {
                query.batch(name) { roots, _ in
                    await meeting.join()
                    return roots.map { _ in 1 }
                }
            }
        }
        let response = try await execute("{ a b c }", schema)
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"data":{"a":1,"b":1,"c":1}}"#)
    }

    /// Wherever it stands in the document.
    @Test func aSnapshotIsTakenBeforeAnythingIsLoaded() async throws {
        let events = Mutex<[String]>([])
        let schema = try schema { query in
            query.load("a") { roots, _ in
                events.withLock { $0.append("load") }
                return Pending(roots.map { _ in 1 })
            }
            query.field("b") { _, _ in
                events.withLock { $0.append("field") }
                return 2
            }
            query.snapshot("c") { _ in
                events.withLock { $0.append("snapshot") }
                return events.withLock { $0.count }
            }
        }
        let response = try await execute("{ a b ... { c } }", schema)
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"data":{"a":1,"b":2,"c":1}}"#)
        #expect(events.withLock { $0.sorted() } == ["field", "load", "snapshot"])
        #expect(String(decoding: try await execute("{ c }", schema).body, as: UTF8.self) == #"{"data":{"c":4}}"#)
    }

    @Test func aThrowFailsTheFieldOfEveryParent() async throws {
        let schema = try schema { query in
            query.batch("a") { _, _ async throws -> [Int] in throw TestFailure() }
            query.load("b") { _, _ throws -> Pending<[Int]> in throw ExecutionError("Not started.", code: .badUserInput)
            }
            query.load("c") { _, _ -> Pending<[Int]> in
                Pending { throw ExecutionError("Not awaited.", code: .badUserInput) }
            }
        }
        let response = try await execute("{ a b }", schema)
        #expect(response.errors.map(\.message) == ["Something went wrong.", "Not started."])
        #expect(response.hasData)
        let propagated = try await execute("{ c }", schema)
        #expect(propagated.errors.map(\.message) == ["Not awaited."])
        #expect(!propagated.hasData)
    }

    @Test func refusesAnotherNumberOfResults() async throws {
        let schema = try schema { query in
            query.batch("a") { _, _ in [1, 2] }
            query.load("b") { _, _ in Pending([Int]()) }
            query.field("c") { _ in 1 }
        }
        let response = try await execute("{ a b c }", schema)
        #expect(String(decoding: response.body, as: UTF8.self).hasPrefix(#"{"data":{"a":null,"b":null,"c":1},"#))
        #expect(response.errors.map(\.message) == ["Something went wrong.", "Something went wrong."])
    }
}

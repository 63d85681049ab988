import GraphQL
import NIOPosix
import Testing

@testable import GraphQLTransport

/// Equal queries of signed-out clients that wait at the same moment are executed once. Which execution answered a
/// request is told by the field `requestId`.
@Suite(.timeLimit(.minutes(20)))
struct SharedReadTests {
    /// One look-up runs, many wait.
    private static func limit(_ server: inout GraphQLServer<TestContext>) {
        var limits = AdmissionLimits()
        limits.lookups = .init(running: 1, waiting: 100, target: .seconds(600))
        limits.longestWait = .seconds(600)
        server.settings.admission = limits
        server.isSharedRead = { context, _ in context.viewer == nil }
    }

    private static let text = #"query Read($gate: String!) { requestId viewer gated(gate: $gate) }"#

    private static func read(_ gate: String) -> String {
        #"{"query":"\#(text)","variables":{"gate":"\#(gate)"}}"#
    }

    /// Holds the only place until `release` opens it.
    private func whileFull(
        _ gate: String, limit: @Sendable @escaping (inout GraphQLServer<TestContext>) -> Void = Self.limit,
        _ body: @Sendable (TestServer, _ release: Gate) async throws -> Void
    ) async throws {
        try await TestServer.run(limit) { (server) async throws in
            let release = Gate.named("\(gate) first")
            let first = Task { try await server.post(Self.read("\(gate) first")) }
            try await release.fill(1)
            try await body(server, release)
            release.open()
            #expect(try await first.value.data?["gated"] == .string("passed"))
            #expect(try await server.reaches(#"graphql_operations_running{kind="lookup"} 0"#))
            #expect(try await server.reaches(#"graphql_operations_waiting{kind="lookup"} 0"#))
        }
    }

    @Test func equalQueriesThatWaitAreExecutedOnce() async throws {
        try await whileFull("shared") { (server, release) async throws in
            let readers = (0..<5).map { _ in Task { try await server.post(Self.read("shared")) } }
            #expect(try await server.reaches("graphql_operations_shared_total 4"))
            #expect(try await server.reaches(#"graphql_operations_waiting{kind="lookup"} 1"#))
            release.open()
            try await Gate.named("shared").fill(1)
            // This one came after the execution began.
            let late = Task { try await server.post(Self.read("shared")) }
            #expect(try await server.reaches(#"graphql_operations_waiting{kind="lookup"} 1"#))
            Gate.named("shared").open()
            var executions: [InputValue?] = []
            for reader in readers {
                let reply = try await reader.value
                #expect(reply.status == 200)
                #expect(reply.data?["gated"] == .string("passed"))
                executions.append(reply.data?["requestId"])
            }
            #expect(executions.allSatisfy { $0 != nil && $0 == executions[0] })
            #expect(try await late.value.data?["requestId"] != executions[0])
            #expect(try await server.reaches("graphql_operations_shared_total 4"))
        }
    }

    @Test func otherVariablesOperationsAndDocumentsAreOtherReads() async throws {
        let bodies = [
            Self.read("others"), Self.read("others 2"),
            #"{"query":"query A { requestId gated(gate: \"others\") } query B { requestId gated(gate: \"others\") }","operationName":"A"}"#,
            #"{"query":"query A { requestId gated(gate: \"others\") } query B { requestId gated(gate: \"others\") }","operationName":"B"}"#,
            // The client asks for the cost, and the response has it.
            #"{"query":"\#(Self.text)","variables":{"gate":"others"},"extensions":{"cost":true}}"#,
        ]
        try await whileFull("others") { (server, release) async throws in
            let readers = bodies.map { body in Task { try await server.post(body) } }
            #expect(try await server.reaches(#"graphql_operations_waiting{kind="lookup"} \#(bodies.count)"#))
            for gate in ["others", "others 2"] { Gate.named(gate).open() }
            release.open()
            var executions: Set<String> = []
            for reader in readers {
                guard case .string(let id)? = try await reader.value.data?["requestId"] else { continue }
                executions.insert(id)
            }
            #expect(executions.count == bodies.count)
            #expect(try await server.reaches("graphql_operations_shared_total 0"))
        }
    }

    @Test func noViewersResultReachesAnother() async throws {
        let viewers = [nil, "ana", "ben", nil, "ana", nil, "ben"]
        try await whileFull("viewers") { (server, release) async throws in
            let readers = viewers.map { viewer in
                Task { [headers = viewer.map { [("Authorization", "Bearer \($0)")] } ?? []] in
                    try await server.post(Self.read("viewers"), headers)
                }
            }
            #expect(try await server.reaches("graphql_operations_shared_total 2"))
            #expect(try await server.reaches(#"graphql_operations_waiting{kind="lookup"} 5"#))
            Gate.named("viewers").open()
            release.open()
            var executions: Set<String> = []
            for (viewer, reader) in zip(viewers, readers) {
                let reply = try await reader.value
                #expect(reply.data?["viewer"] == (viewer.map { .string($0) } ?? .null))
                if case .string(let id)? = reply.data?["requestId"] { executions.insert(id) }
            }
            #expect(executions.count == 5)
        }
    }

    @Test func allAreRefusedAfterTheLongestWait() async throws {
        try await whileFull("refused") { server in
            Self.limit(&server)
            server.settings.admission?.longestWait = .milliseconds(500)
        } _: { (server, _) async throws in
            let readers = (0..<4).map { _ in Task { try await server.post(Self.read("refused")) } }
            for reader in readers {
                let reply = try await reader.value
                #expect(reply.status == 503)
                #expect(reply.errorCodes == ["OVERLOADED"])
                #expect(reply["Retry-After"] != nil)
            }
            #expect(try await server.reaches(#"graphql_operations_shed_total{kind="lookup"} 4"#))
        }
    }

    // MARK: Requests that are given up

    private let admission = Admission(
        {
            var limits = AdmissionLimits()
            limits.lookups = .init(running: 1, waiting: 100, target: .seconds(600))
            limits.longestWait = .seconds(600)
            return limits
        }(), on: MultiThreadedEventLoopGroup.singleton.next(), metrics: MetricRegistry())

    /// A request of the read, whose execution answers with the number of the request that began it.
    private func request(_ number: Int) throws -> Task<Response, any Error> {
        let key = SharedRead.Key(documentHash: "read", operationName: nil, variables: [:])
        let entry = try admission.enter(.anonymousLookup, reading: key)
        return Task {
            try await entry.response {
                try Task.checkCancellation()
                return Response(ofCheck: InputObject([(name: "number", value: .int(number))]))
            }
        }
    }

    private func takePlace() throws {
        struct NoPlace: Error {}
        guard case .admitted = try admission.enter(.anonymousLookup) else { throw NoPlace() }
    }

    @Test func whoLeavesTakesNothingFromOthers() async throws {
        try takePlace()
        let requests = try (1...3).map { try request($0) }
        for leaving in requests[..<2] { leaving.cancel() }
        admission.leave(.anonymousLookup)
        #expect(try await requests[2].value.errors.isEmpty)
    }

    /// The wait ends with the last of them, and a new request waits for itself.
    @Test func whenAllLeaveTheWaitIsGivenUp() async throws {
        try takePlace()
        let requests = try (1...3).map { try request($0) }
        for leaving in requests { leaving.cancel() }
        for leaving in requests {
            await #expect(throws: CancellationError.self) { try await leaving.value }
        }
        let late = try request(4)
        admission.leave(.anonymousLookup)
        #expect(String(decoding: try await late.value.body, as: UTF8.self).contains("4"))
        // Its place is free again.
        try takePlace()
    }
}

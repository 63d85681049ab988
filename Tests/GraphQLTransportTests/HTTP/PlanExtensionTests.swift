import GraphQL
import GraphQLTransport
import Synchronization
import Testing

/// `extensions.plan`: whom the server's hook serves, and what the observer is told.
@Suite(.timeLimit(.minutes(10)))
struct PlanExtensionTests {
    /// Answers the fields of which it was told.
    private final class Fields: ExecutionObserver {
        private let seen = Mutex<[ObservedField]>([])

        func start<R: Sendable>(_ field: ObservedField, _ body: () throws -> R) rethrows -> R { try body() }

        func resolve<R: Sendable>(_ field: ObservedField, _ body: () async throws -> R) async rethrows -> R {
            seen.withLock { $0.append(field) }
            return try await body()
        }

        var extensions: [(name: String, value: InputValue)] {
            [("plan", .list(seen.withLock { $0 }.map { .string("\($0.level) \($0.path)") }))]
        }
    }

    init() { Gate.named("plan").open() }

    private let query =
        #"{"query":"{ a: gated(gate: \"plan\") gated(gate: \"plan\") hello }","extensions":{"plan":true}}"#

    @Test func theObserverSeesTheFieldsThatSuspend() async throws {
        try await TestServer.run {
            $0.observe = { _ in Fields() }
        } _: { (server) async throws in
            let json = try await server.post(query).json
            guard case .list(let fields)? = json["extensions"]?["plan"] else { return #expect(Bool(false)) }
            #expect(Set(fields.compactMap { Optional($0).text }) == ["1 a", "1 gated"])
            #expect(json["data"]?["hello"] == .string("Hello world"))
            let ungated = query.replacing(#"a: gated(gate: \"plan\") gated(gate: \"plan\")"#, with: "")
            let nothing = try await server.post(ungated)
            #expect(nothing.json["extensions"]?["plan"] == .list([]))
        }
    }

    @Test func aRefusalOfTheHookIsTheAnswer() async throws {
        try await TestServer.run {
            $0.observe = { context in
                guard context.viewer == "ada" else { throw ExecutionError("Not for you.", code: .forbidden) }
                return Fields()
            }
        } _: { (server) async throws in
            let refused = try await server.post(query)
            #expect(refused.errorCodes == ["FORBIDDEN"])
            #expect(refused.json["data"] == nil)
            #expect(refused.json["extensions"] == nil)
        }
    }

    @Test func othersAreNotObserved() async throws {
        let observed = Mutex(0)
        try await TestServer.run {
            $0.observe = { _ in
                observed.withLock { $0 += 1 }
                return Fields()
            }
        } _: { (server) async throws in
            for plan in ["false", "1", "null"] {
                let reply = try await server.post(query.replacing("\"plan\":true", with: "\"plan\":\(plan)"))
                #expect(reply.json["extensions"] == nil)
            }
            let check = try await server.post(query.replacing("\"plan\":true", with: "\"plan\":true,\"check\":true"))
            #expect(check.json["data"] == .null)
            #expect(check.json["extensions"] == nil)
        }
        #expect(observed.withLock { $0 } == 0)
    }

    @Test func aServerWithoutTheHookIgnoresTheQuestion() async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.post(query)
            #expect(reply.errorCodes.isEmpty)
            #expect(reply.json["extensions"] == nil)
        }
    }
}

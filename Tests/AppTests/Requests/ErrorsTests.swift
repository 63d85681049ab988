import Foundation
import GraphQL
import Logging
import Postgres
import Synchronization
import Testing

@testable import App

@Suite struct ErrorsTests {
    /// A package that was upgraded under PostgreSQL: a new session cannot load what it needs, and nothing was done.
    @Test func aLibraryThatDoesNotLoadIsALackOfTheServer() async throws {
        let world = try await World.make()
        let error = await #expect(throws: PostgresError.self) {
            _ = try await world.environment.pools.worker.run(Segment(["load '$libdir/plugins/none'"]))
        }
        #expect(error?.server?.isForLackOfLibrary == true)
        let told = world.context(as: .nobody).executionError(for: try #require(error))
        #expect(told.extensions["code"] == .string("UNAVAILABLE"))
        await world.shutdown()
    }

    /// A pool whose queue is full is not a database that cannot be reached.
    @Test func aFullQueueIsOverload() async throws {
        let world = try await World.make()
        var configuration = world.environment.pools.read.configuration
        (configuration.connections, configuration.maxInFlight, configuration.maxQueue) = (1, 1, 1)
        let pool = Pool(configuration)
        let crowded = world.with { $0.pools.read = pool }
        _ = try await crowded.run("{ feed(first: 1) { nodes { id } } }", as: .nobody)
        let answers = try await withThrowingTaskGroup(of: String.self) { tasks in
            for _ in 0..<50 {
                tasks.addTask { try await crowded.run("{ feed(first: 1) { nodes { id } } }", as: .nobody) }
            }
            return try await tasks.reduce(into: []) { $0.append($1) }
        }
        let refused = answers.filter { $0.contains("errors") }
        #expect(!refused.isEmpty && refused.count < 50)
        for answer in refused {
            #expect(answer.contains(#""code":"OVERLOADED","retryAfter":"#), "\(answer)")
        }
        await pool.shutdown()
        await world.shutdown()
    }

    /// A value that somebody sent may stand in the detail, or in a data exception's message.
    @Test(
        arguments: [
            ("select 'a secret'::uuid", "22P02: data exception"),
            (
                "insert into users (id, display_name, role) values (gen_random_uuid(), 'a secret', 'a secret')",
                "users_role_check"
            ),
            (
                "update users set username = 'a secret' where id in (select id from users limit 2)",
                "users_username_key"
            ),
        ] as [(StaticString, String)])
    func theLogHasNoValues(sql: StaticString, expected: String) async throws {
        let world = try await World.make()
        let error = await #expect(throws: PostgresError.self) {
            _ = try await world.environment.pools.worker.run(Segment(["\(unsafe: sql)"]))
        }
        let logged = try #require(error?.server?.withoutValues)
        #expect(logged.contains(expected))
        #expect(!logged.contains("secret"))
        await world.shutdown()
    }

    @Test func theLogNamesTheRequest() async throws {
        let world = try await World.make()
        let lines = LogRecorder()
        let environment = world.environment.with { $0.logger = lines.logger }
        let context = RequestContext(environment: environment, viewer: nil, requestID: "request-7")
        let error = context.executionError(for: CocoaError(.fileNoSuchFile))
        let line = try #require(lines.all.first)
        #expect(lines.all.count == 1)
        #expect(line["request_id"] == "request-7")
        #expect(error.extensions["errorId"] == line["error_id"].map { .string("\($0)") })
        await world.shutdown()
    }

    @Test(
        arguments: [
            ("53100", "UNAVAILABLE"), ("53300", "UNAVAILABLE"), ("57P01", "UNAVAILABLE"), ("25006", "UNAVAILABLE"),
            ("57014", "TIMEOUT"), ("55P03", "TIMEOUT"), ("42501", "FORBIDDEN"), ("XX000", "INTERNAL_SERVER_ERROR"),
        ] as [(StaticString, String)])
    func codesFollowTheState(state: StaticString, code: String) async throws {
        let world = try await World.make()
        let error = await #expect(throws: PostgresError.self) {
            _ = try await world.environment.pools.worker.run(
                Segment(["do $$ begin raise exception using errcode = '\(unsafe: state)'; end $$"]))
        }
        let told = world.context(as: .nobody).executionError(for: try #require(error))
        #expect(told.extensions["code"] == .string(code))
        await world.shutdown()
    }
}

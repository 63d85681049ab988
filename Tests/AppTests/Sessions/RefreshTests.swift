import Auth
import GraphQL
import TestSupport
import Testing

@testable import App

@Suite struct RefreshTests {
    private struct Tokens: Equatable {
        let access: String
        let refresh: String
    }

    private func start(_ world: World) async throws -> Tokens {
        let answer = try await world.ask(
            "mutation { signInAnonymously { accessToken refreshToken } }", as: .nobody)
        return Tokens(
            access: try #require(answer.string("signInAnonymously", "accessToken")),
            refresh: try #require(answer.string("signInAnonymously", "refreshToken")))
    }

    private func refresh(_ token: String, _ world: World) async throws -> Answer {
        let field = "refreshSession(input: {refreshToken: \"\(token)\"}) { accessToken refreshToken }"
        return try await world.ask("mutation { \(field) }", as: .nobody)
    }

    private func refreshed(_ token: String, _ world: World) async throws -> String {
        let answer = try await refresh(token, world)
        return try #require(answer.string("refreshSession", "refreshToken"), "\(answer.text)")
    }

    @Test func fiftyAtOnceGetTheSameToken() async throws {
        let world = try await World.make(writers: 8)
        let first = try await start(world)
        let answers = try await concurrently(50) { _ in try await refresh(first.refresh, world) }
        #expect(answers.codes == ["OK"])
        let tokens = Set(answers.map { $0.string("refreshSession", "refreshToken") })
        #expect(tokens.count == 1)
        let next = try #require(tokens.first ?? nil)
        #expect(next != first.refresh)
        // One rotation: the parent is the first token, the newest is the one that all of them got.
        let rotated = try await world.texts(
            """
            select encode(parent_hash, 'hex') || ' ' || encode(current_hash, 'hex') from sessions \
            where user_agent = 'tests' and parent_hash is not null
            """)
        let hashes = try [first.refresh, next].map { try hex(#require(RefreshToken($0)).hash.bytes) }
        #expect(rotated == [hashes.joined(separator: " ")])
        #expect(try await refreshed(next, world) != next)
        await world.shutdown()
    }

    @Test func reuseOfAnOldTokenEndsTheFamily() async throws {
        let world = try await World.make(writers: 8)
        let first = try await start(world)
        let second = try await refreshed(first.refresh, world)
        let answer = try await refresh(second, world)
        let third = try #require(answer.string("refreshSession", "refreshToken"))
        let access = try #require(answer.string("refreshSession", "accessToken"))
        let fourth = try await refreshed(third, world)
        let poller = Task { await RevocationPoller(world.environment).run() }
        defer { poller.cancel() }
        #expect(try await authenticates(access, world))
        #expect(try await refresh(first.refresh, world).code == "UNAUTHENTICATED")
        for token in [first.refresh, second, third, fourth] {
            #expect(try await refresh(token, world).code == "UNAUTHENTICATED")
        }
        try await eventually("the poller has read the revocation") { try await !authenticates(access, world) }
        #expect(try await authenticates(first.access, world) == false)
        poller.cancel()
        await poller.value
        await world.shutdown()
    }

    @Test func signingOutEndsTheSessionAtOnceHere() async throws {
        let world = try await World.make(writers: 8)
        let tokens = try await start(world)
        let other = try await start(world)
        let context = try await world.environment.authenticate(
            authorization: "Bearer \(tokens.access)", userAgent: nil, address: nil)
        #expect(try await world.ask("mutation { signOut { clientMutationId } }", context).isData)
        #expect(try await authenticates(tokens.access, world) == false)
        #expect(try await refresh(tokens.refresh, world).code == "UNAUTHENTICATED")
        #expect(try await authenticates(other.access, world))
        #expect(try await refresh(other.refresh, world).isData)
        await world.shutdown()
    }

    /// Another replica has not polled for a while: it asks the database instead of trusting an old set.
    @Test func aReplicaWithAnOldSetAsksTheDatabase() async throws {
        let world = try await World.make(writers: 8)
        let tokens = try await start(world)
        let stale = world.with { $0.revokedSessions = RevokedSessions() }
        #expect(try await authenticates(tokens.access, stale))
        let context = try await world.environment.authenticate(
            authorization: "Bearer \(tokens.access)", userAgent: nil, address: nil)
        #expect(try await world.ask("mutation { signOut { clientMutationId } }", context).isData)
        #expect(try await authenticates(tokens.access, stale) == false)
        await world.shutdown()
    }

    /// The parent is accepted while its child was never used, however long that is, and for 30 seconds afterwards.
    @Test func theParentLivesThirtySecondsLonger() async throws {
        let time = StoppedClock()
        let world = try await World.make(writers: 8).with { $0.now = { time.now } }
        let first = try await start(world).refresh
        let second = try await refreshed(first, world)
        time.advance(by: 600_000)
        #expect(try await refreshed(first, world) == second)
        let third = try await refreshed(second, world)
        time.advance(by: 29_000)
        #expect(try await refreshed(first, world) == second)
        #expect(try await refreshed(second, world) == third)
        time.advance(by: 2_000)
        #expect(try await refresh(first, world).code == "UNAUTHENTICATED")
        #expect(try await refresh(third, world).code == "UNAUTHENTICATED")
        await world.shutdown()
    }

    private func authenticates(_ token: String, _ world: World) async throws -> Bool {
        do {
            let context = try await world.environment.authenticate(
                authorization: "Bearer \(token)", userAgent: nil, address: nil)
            return context.viewer != nil
        } catch is EndedSession {
            return false
        }
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

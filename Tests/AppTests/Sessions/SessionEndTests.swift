import Auth
import GraphQL
import Synchronization
import Testing

@testable import App

/// Whatever ends a session, what streams in it hears of it on the same server at once, and says so last.
@Suite(.timeLimit(.minutes(10))) struct SessionEndTests {
    private static let password = "correct horse battery"

    /// A session of its own.
    private struct Session {
        let context: RequestContext
        let refreshToken: String
        let isEnded = Flag()
        let stop: @Sendable () -> Void

        init(_ world: World, _ mutation: String, _ field: String, as person: Person = .nobody) async throws {
            let answer = try await world.ask("mutation { \(mutation) { accessToken refreshToken } }", as: person)
            let token = try #require(answer.string(field, "accessToken"), "\(answer.text)")
            refreshToken = try #require(answer.string(field, "refreshToken"))
            context = try await world.environment.authenticate(
                authorization: "Bearer \(token)", userAgent: "tests", address: nil)
            let isEnded = isEnded
            guard let stop = context.onSessionEnd({ isEnded.set() }) else { throw ExecutionError.unauthenticated }
            self.stop = stop
        }

        static func anonymous(_ world: World) async throws -> Session {
            try await Session(world, "signInAnonymously", "signInAnonymously")
        }

        static func ofAna(_ world: World) async throws -> Session {
            let input = "signIn(input: {login: \"ana\", password: \"\(SessionEndTests.password)\"})"
            return try await Session(world, input, "signIn")
        }

        /// `hasSessionEnded` is what the transport asks when it is called back.
        var hasEnded: Bool { isEnded.isSet && context.hasSessionEnded }
    }

    private final class Flag: Sendable {
        private let state = Mutex(false)

        var isSet: Bool { state.withLock { $0 } }
        func set() { state.withLock { $0 = true } }
    }

    @Test func bySigningOut() async throws {
        let world = try await World.make()
        let session = try await Session.anonymous(world)
        #expect(!session.hasEnded)
        #expect(try await world.ask("mutation { signOut { userErrors { code } } }", session.context).isData)
        #expect(session.hasEnded)
        await world.shutdown()
    }

    @Test func byRevocation() async throws {
        let world = try await World.make()
        let one = try await Session.ofAna(world)
        let id = try #require(one.context.sessionID)
        let revoke = "revokeSession(input: {sessionId: \"\(id)\"}) { userErrors { code } }"
        #expect(try await world.ask("mutation { \(revoke) }", as: .ana).isData)
        #expect(one.hasEnded)
        let other = try await Session.ofAna(world)
        let others = "revokeOtherSessions(input: {}) { revokedSessionIds }"
        #expect(try await world.ask("mutation { \(others) }", as: .ana).isData)
        #expect(other.hasEnded)
        let third = try await Session.ofAna(world)
        let change =
            "changePassword(input: {currentPassword: \"\(Self.password)\", newPassword: \"a long quiet evening\"})"
        let changed = try await world.ask("mutation { \(change) { userErrors { code } } }", as: .ana)
        #expect(changed.userErrors == [] && third.hasEnded)
        await world.shutdown()
    }

    @Test func byDeletion() async throws {
        let world = try await World.make()
        let session = try await Session.anonymous(world)
        let delete = "mutation { deleteAccount(input: {}) { userErrors { code } } }"
        #expect(try await world.ask(delete, session.context).userErrors == [])
        #expect(session.hasEnded)
        await world.shutdown()
    }

    @Test func byMerging() async throws {
        let world = try await World.make()
        let session = try await Session.anonymous(world)
        let input = "{login: \"ana\", password: \"\(Self.password)\", mergeAnonymous: true}"
        let merged = try await world.ask("mutation { signIn(input: \(input)) { accessToken } }", session.context)
        #expect(merged.string("signIn", "accessToken") != nil)
        #expect(session.hasEnded)
        await world.shutdown()
    }

    /// The replica that finds the theft out does not wait for its own poller.
    @Test func byReuseOfARefreshToken() async throws {
        let world = try await World.make()
        let session = try await Session.anonymous(world)
        func refresh(_ token: String) async throws -> Answer {
            try await world.ask(
                "mutation { refreshSession(input: {refreshToken: \"\(token)\"}) { refreshToken } }", as: .nobody)
        }
        var newest = session.refreshToken
        // A child that was used ends the time in which its parent is taken again.
        for _ in 0..<3 {
            newest = try #require(try await refresh(newest).string("refreshSession", "refreshToken"))
        }
        #expect(!session.hasEnded)
        #expect(try await refresh(session.refreshToken).code == "UNAUTHENTICATED")
        #expect(session.hasEnded)
        await world.shutdown()
    }

    /// A server whose set of revoked sessions is stale learns it from the database.
    @Test func byWhatTheDatabaseSays() async throws {
        let world = try await World.make()
        let stale = world.with { $0.revokedSessions = RevokedSessions() }
        let session = try await Session.anonymous(stale)
        let viewer = try #require(session.context.viewer)
        try await world.execute(
            script: "update sessions set revoked_at = now() where id = '\(viewer.sessionID)'")
        let token = stale.environment.tokens.sign(
            subject: TypeID(.user, viewer.userID).description, session: TypeID(.session, viewer.sessionID).description,
            isAnonymous: true, now: stale.environment.unixSeconds
        ).token
        await #expect(throws: EndedSession.self) {
            try await stale.environment.authenticate(
                authorization: "Bearer \(token)", userAgent: nil, address: nil)
        }
        #expect(session.hasEnded)
        await world.shutdown()
    }

    // MARK: sessionChanges

    private static func states(_ answers: [Answer]) -> [String?] {
        answers.map { $0.string("sessionChanges", "state") }
    }

    @Test func theLastStateIsSignedOut() async throws {
        let live = try await LiveWorld.make()
        let stream = try await live.stream("sessionChanges { state viewer { id } }", live.world.context(as: .ana))
        let subscriber = Subscriber(stream)
        _ = try await subscriber.take(1)
        guard let conclude = stream.conclude else { throw ExecutionError.unavailable }
        conclude()
        conclude()
        #expect(Self.states(try await subscriber.take(3)) == ["SIGNED_IN", "SIGNED_OUT"])
        #expect(subscriber.hasEnded)
        let feed = try await live.stream("feedChanges { kind }", live.world.context(as: .ana))
        let owesSomething = feed.conclude != nil
        #expect(!owesSomething)
        await live.shutdown()
    }

    /// An account that has gone tells of it through the log as well.
    @Test func itComesOnce() async throws {
        let live = try await LiveWorld.make()
        let context = live.world.context(as: .zoe)
        let stream = try await live.stream("sessionChanges { state }", context)
        let subscriber = Subscriber(stream)
        _ = try await subscriber.take(1)
        let delete = "mutation { deleteAccount(input: {}) { userErrors { code } } }"
        #expect(try await live.world.ask(delete, context).userErrors == [])
        try await live.settle()
        stream.conclude?()
        #expect(Self.states(try await subscriber.take(3)) == ["ANONYMOUS", "SIGNED_OUT"])
        #expect(subscriber.hasEnded)
        await live.shutdown()
    }
}

import Auth
import GraphQL
import Postgres
import Synchronization
import Testing

@testable import App
@testable import ChangeFeed

@Suite(.timeLimit(.minutes(10))) struct AuthenticationTests {
    /// The set of revoked sessions is too old to rely on, and the database cannot say more.
    @Test func isUnavailableWhereNeitherSetNorDatabaseKnow() async throws {
        let world = try await World.make()
        let worker = Pool(PoolConfiguration(ConnectionConfiguration(world.url), name: "worker", connections: 1))
        await worker.shutdown()
        let stale = world.with {
            $0.revokedSessions = RevokedSessions()
            $0.pools.worker = worker
        }
        let viewer = try #require(Person.ana.viewer)
        let token = stale.environment.tokens.sign(
            subject: TypeID(.user, viewer.userID).description, session: TypeID(.session, viewer.sessionID).description,
            isAnonymous: false, now: stale.environment.unixSeconds
        ).token
        let error = await #expect(throws: ExecutionError.self) {
            _ = try await stale.environment.authenticate(
                authorization: "Bearer \(token)", userAgent: nil, address: nil)
        }
        #expect(error?.extensions["code"] == .string("UNAVAILABLE"))
        let atOnce = try stale.environment.authenticateSynchronously(
            authorization: "Bearer \(token)", userAgent: nil, address: nil)
        #expect(atOnce == nil)
        let nobody = try stale.environment.authenticateSynchronously(authorization: nil, userAgent: nil, address: nil)
        #expect(nobody != nil)
        await world.shutdown()
    }

    /// An access token under a name that is not read would count as nobody.
    @Test func aTokenUnderAnotherNameIsRefused() async throws {
        let world = try await World.make()
        let environment = world.environment
        func token(_ tokens: AccessTokens) -> String {
            tokens.sign(
                subject: worldID(.user, 0xA), session: worldID(.session, 0xA), isAnonymous: false,
                now: environment.unixSeconds - 100_000
            ).token
        }
        func isRefused(_ payload: InputObject, _ authorization: String? = nil) -> Bool {
            do {
                try environment.refuseMisplacedToken(in: payload, authorization: authorization)
                return false
            } catch {
                #expect(error.extensions["code"] == .string("BAD_REQUEST"))
                #expect(error.message.contains("\"accessToken\""))
                #expect(error.message.utf8.count <= 123)
                return true
            }
        }
        func payload(_ value: InputValue) -> InputObject { InputObject([(name: "jwt", value: value)]) }
        let own = token(environment.tokens)
        let nested = InputObject([(name: "value", value: .string(own))])
        let bodies = own.split(separator: ".")
        for value: InputValue in [
            .string(own), .string("Bearer \(own)"), .object(nested), .list([.int(1), .string(own)]),
            .string("\(bodies[0]).\(bodies[1]).AAAA"), .string("Token \(own)"), .string(" \(own)\n"),
        ] {
            #expect(isRefused(payload(value)), "\(value)")
        }
        #expect(!isRefused(payload(.string(own)), "Bearer \(own)"))
        #expect(isRefused(payload(.string(own)), "Bearer another"))
        let foreign = AccessTokens(keys: environment.tokens.keys, issuer: "https://other.example", audience: "other")
        for value: InputValue in [
            .string(token(foreign)), .string("a.b.c"), .string(""), .string("\(bodies[0]).\(bodies[1])"), .null,
            .int(7),
            .string(String(own.dropFirst())), .object(InputObject()),
        ] {
            #expect(!isRefused(payload(value)), "\(value)")
        }
        await world.shutdown()
    }

    /// A socket's context lasts as long as the socket: a place that it held would silence the socket's subscriptions.
    @Test func aStaleSetCostsNoPlaceInTheOrderOfChanges() async throws {
        let live = try await LiveWorld.make()
        let world = live.world.with { $0.revokedSessions = RevokedSessions() }
        let viewer = try #require(Person.ana.viewer)
        let token = world.environment.tokens.sign(
            subject: TypeID(.user, viewer.userID).description, session: TypeID(.session, viewer.sessionID).description,
            isAnonymous: false, now: world.environment.unixSeconds
        ).token
        let ofSocket = try await world.environment.authenticate(
            authorization: "Bearer \(token)", userAgent: nil, address: nil)
        // As the server authenticates an operation.
        let release = world.environment.holdChanges(on: 7, isResumed: false)
        var ofOperation = try await world.environment.authenticate(
            authorization: "Bearer \(token)", userAgent: nil, address: nil)
        ofOperation.clientConnectionID = 7
        #expect(world.environment.changes.sequencers.count == 1)
        let session = try await live.subscribe("sessionChanges { state }", ofOperation)
        let feed = try await live.subscribe("feedChanges { kind }", ofOperation)
        release()
        let created = try await world.ask(
            "mutation { createThought(input: {category: FUNNY, text: \"x\"}) { thought { id } } }", as: .ben)
        #expect(created.isData)
        #expect(try await feed.take(1).first?.string("feedChanges", "kind") == "ADDED")
        #expect(try await session.take(1).first?.string("sessionChanges", "state") == "SIGNED_IN")
        withExtendedLifetime((ofSocket, ofOperation)) {}
        await live.shutdown()
    }

    /// Anonymous accounts are made without asking anybody.
    @Test func anAnonymousAccountIsNoMember() async throws {
        let world = try await World.make()
        let viewer = try #require(Person.ana.viewer)
        for isAnonymous in [false, true] {
            let token = world.environment.tokens.sign(
                subject: TypeID(.user, viewer.userID).description,
                session: TypeID(.session, viewer.sessionID).description, isAnonymous: isAnonymous,
                now: world.environment.unixSeconds)
            let context = try world.environment.authenticateSynchronously(
                authorization: "Bearer \(token.token)", userAgent: nil, address: nil)
            #expect(try #require(context).isMember == !isAnonymous)
        }
        #expect(!world.context(as: .nobody).isMember)
        await world.shutdown()
    }

    /// What streams in a session asks this once a second.
    @Test func aSessionEndsWithItsRevocation() async throws {
        let world = try await World.make()
        let viewer = try #require(Person.ana.viewer)
        let now = world.environment.unixSeconds
        let token = world.environment.tokens.sign(
            subject: TypeID(.user, viewer.userID).description, session: TypeID(.session, viewer.sessionID).description,
            isAnonymous: false, now: now)
        let fresh = try await world.environment.authenticate(
            authorization: "Bearer \(token.token)", userAgent: nil, address: nil)
        #expect(fresh.sessionID == TypeID(.session, viewer.sessionID).description)
        #expect(!fresh.hasSessionEnded)
        let atOnce = try world.environment.authenticateSynchronously(
            authorization: "BEARER \(token.token)", userAgent: nil, address: nil)
        #expect(atOnce?.viewer == viewer && atOnce?.sessionID == fresh.sessionID)
        fresh.environment.revokedSessions.revoke(
            try #require(fresh.sessionID), until: (now + 900) * 1000, now: now * 1000)
        #expect(fresh.hasSessionEnded)

        let nobody = world.context(as: .nobody)
        #expect(nobody.sessionID == nil && !nobody.hasSessionEnded)
        await world.shutdown()
    }

    @Test func aSessionEndsWithItsToken() async throws {
        let world = try await World.make()
        let viewer = try #require(Person.ana.viewer)
        let clock = Mutex(world.environment.now().unixMilliseconds)
        let environment = world.with { $0.now = { Timestamp(unixMilliseconds: clock.withLock { $0 }) } }.environment
        let token = environment.tokens.sign(
            subject: TypeID(.user, viewer.userID).description, session: TypeID(.session, viewer.sessionID).description,
            isAnonymous: false, now: environment.unixSeconds)
        let context = try await environment.authenticate(
            authorization: "Bearer \(token.token)", userAgent: nil, address: nil)
        #expect(!context.hasSessionEnded)
        clock.withLock { $0 += 24 * 3_600_000 }
        #expect(context.hasSessionEnded)
        await world.shutdown()
    }
}

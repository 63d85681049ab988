import Auth
import GraphQL
import Postgres
import Testing

@testable import App

@Suite struct AuthenticationTests {
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
        await world.shutdown()
    }
}

import Auth
import Cryptography
import Postgres
import Testing

@testable import App

/// Hashes of earlier parameters, or of another system, are renewed at the first sign-in.
@Suite struct RenewedHashTests {
    private static let password = "correct horse battery"

    /// As a telephone and a tablet that open a new app. Each finds the other's renewal.
    @Test func signInsAtOnceAllRenewAndSucceed() async throws {
        let world = try await World.make(writers: 8)
        let older = PasswordHasher(parameters: try #require(Scrypt.Parameters(logN: 8)))
        let stored = try await older.hash(Self.password)
        try await world.execute(
            script: "update credentials set password_hash = '\(stored)' where user_id = '\(worldUUID(0xA))'")
        let answers = try await concurrently(4) { _ in
            try await world.ask(RateTests.signIn("ana", Self.password), as: .nobody)
        }
        #expect(answers.codes == ["OK"])
        let kept: SQL = "select count(*) from credentials where password_hash = \(stored)"
        #expect(try await world.number(kept) == 0)
        #expect(try await world.deadlocks() == 0)
    }

    /// Between a sign-in's comparison and its renewal the owner may have chosen another password.
    @Test func aRenewalDoesNotUndoAChange() async throws {
        let world = try await World.make()
        let found = CredentialsByLogin.Output(
            userID: worldUUID(0xA), passwordHash: "of before the change", deviceGeneration: 0)
        _ = try await world.environment.pools.worker.run(Segment([found.renew("of before the change, renewed")]))
        let renewed: SQL = "select count(*) from credentials where password_hash like 'of before%'"
        #expect(try await world.number(renewed) == 0)
        await world.shutdown()
    }
}

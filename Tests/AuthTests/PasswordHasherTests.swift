import Cryptography
import Testing

@testable import Auth

extension Scrypt.Parameters {
    /// N=2^10: quick enough for tests.
    static func quick() throws -> Scrypt.Parameters { try #require(Scrypt.Parameters(logN: 10)) }
}

@Suite struct PasswordHasherTests {
    private func hasher(queueLimit: Int = 16) throws -> PasswordHasher {
        PasswordHasher(parameters: try .quick(), queueLimit: queueLimit)
    }

    @Test func hashesAndVerifies() async throws {
        let hasher = try hasher()
        let stored = try await hasher.hash("correct horse")
        #expect(stored.hasPrefix("$scrypt$ln=10,r=8,p=1$"))
        #expect(try await hasher.verify("correct horse", against: stored) == .valid)
        #expect(try await hasher.verify("correct horse ", against: stored) == .invalid)
        #expect(try await hasher.verify("", against: stored) == .invalid)
        #expect(try await hasher.hash("correct horse") != stored, "Each hash has a salt of its own.")
    }

    @Test func standardParameters() async throws {
        let hasher = PasswordHasher()
        let stored = try await hasher.hash("correct horse")
        #expect(stored.hasPrefix("$scrypt$ln=17,r=8,p=1$"))
        #expect(try await hasher.verify("correct horse", against: stored) == .valid)
    }

    @Test func normalisationFormsAreOnePassword() async throws {
        let hasher = try hasher()
        let stored = try await hasher.hash("pässwörter")
        #expect(try await hasher.verify("pa\u{308}sswo\u{308}rter", against: stored) == .valid)
        #expect(try await hasher.verify("passworter", against: stored) == .invalid)
    }

    @Test(arguments: [72, 73, 128]) func everyByteOfALongPasswordCounts(length: Int) async throws {
        let hasher = try hasher()
        let password = String(repeating: "é", count: length - 1)
        let stored = try await hasher.hash(password + "a")
        #expect(try await hasher.verify(password + "a", against: stored) == .valid)
        #expect(try await hasher.verify(password + "b", against: stored) == .invalid)
        #expect(try await hasher.verify(password, against: stored) == .invalid)
    }

    @Test func olderParametersNeedARehash() async throws {
        let older = PasswordHasher(parameters: try #require(Scrypt.Parameters(logN: 9)))
        let stored = try await older.hash("correct horse")
        #expect(try await hasher().verify("correct horse", against: stored) == .validNeedsRehash)
        #expect(try await hasher().verify("wrong horse", against: stored) == .invalid)
    }

    @Test func noHashIsNeverValid() async throws {
        #expect(try await hasher().verify("x", against: "") == .invalid)
        #expect(try await hasher().verify("x", against: "$scrypt$ln=10,r=8,p=1$$") == .invalid)
    }

    @Test func oversizedPasswordsAreNeverValid() async throws {
        let hasher = try hasher()
        let password = String(repeating: "x", count: 5_000)
        #expect(try await hasher.verify(password, against: hasher.hash(password)) == .invalid)
        #expect(try await hasher.verify("", against: hasher.hash(password)) == .valid, "It was hashed as if empty.")
    }

    /// An imported account's hash, and one of earlier days.
    @Test(arguments: [(14, 8), (15, 8), (16, 8), (17, 7)])
    func aWrongPasswordTakesTheSameWorkForEveryHash(logN: Int, blockSize: Int) throws {
        let hasher = PasswordHasher()
        let cheaper = try #require(Scrypt.Parameters(logN: logN, blockSize: blockSize))
        let rest = try #require(hasher.rest(after: cheaper))
        #expect(cheaper.work + rest.parameters.work == hasher.dummy.parameters.work)
    }

    @Test func noWorkIsLeftAfterAHashOfToday() throws {
        let hasher = try hasher()
        #expect(hasher.rest(after: hasher.dummy.parameters) == nil)
        #expect(hasher.rest(after: .standard) == nil)
    }

    /// By the same work on the same threads, which a clock on a busy machine would not show.
    @Test func anUnknownUserCostsWhatAKnownOneCosts() async throws {
        let hasher = try hasher()
        let known = try #require(PasswordHash(try await hasher.hash("correct horse")))
        #expect(hasher.dummy.parameters == known.parameters)
        #expect(hasher.dummy.salt.count == known.salt.count)
        #expect(hasher.dummy.key.count == known.key.count)
        // No place, not even before the idle thread.
        let full = PasswordHasher(parameters: try .quick(), threads: 1, queueLimit: -1)
        await #expect(throws: HasherError.self) { try await full.verifyDummy("wrong") }
        await #expect(throws: HasherError.self) { try await full.verify("wrong", against: "no hash") }
        await #expect(throws: HasherError.self) { try await full.verify("wrong", against: known.text) }
    }
}

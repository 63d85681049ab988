import Cryptography
import Testing

@testable import Auth

@Suite struct FirebasePasswordParametersTests {
    /// The parameters and the account of https://github.com/firebase/scrypt, section "Sample".
    private static let console = """
        hash_config {
          algorithm: SCRYPT,
          base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
          base64_salt_separator: Bw==,
          rounds: 8,
          mem_cost: 14,
        }
        """
    private static let salt = "42xEC+ixf3L2lw=="
    private static let hash = "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="

    private func hasher() throws -> PasswordHasher { PasswordHasher(parameters: try .quick()) }

    private func parameters() throws -> FirebasePasswordParameters {
        try #require(FirebasePasswordParameters(text: Self.console))
    }

    @Test func thePublicVectorIsVerifiedAndNeedsARehash() async throws {
        let stored = try #require(try parameters().stored(hash: Self.hash, salt: Self.salt))
        #expect(stored.hasPrefix("$firebase-scrypt$ln=14,r=8,p=1$"))
        #expect(try await hasher().verify("user1password", against: stored) == .validNeedsRehash)
        #expect(try await hasher().verify("user1Password", against: stored) == .invalid)
        #expect(try await hasher().verify("", against: stored) == .invalid)
    }

    @Test func theSignerKeyIsNotStored() throws {
        let stored = try #require(try parameters().stored(hash: Self.hash, salt: Self.salt))
        #expect(!stored.contains("jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVM"))
        #expect(PasswordHash(stored)?.text == stored)
    }

    @Test func bothAlphabetsAreRead() throws {
        let other = String(Self.hash.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }.filter { $0 != "=" })
        #expect(
            try parameters().stored(hash: other, salt: Self.salt)
                == parameters().stored(hash: Self.hash, salt: Self.salt))
    }

    @Test(arguments: [("", salt), ("AAAA", salt), (hash, "not base 64!"), (String(hash.dropLast(6)), salt)])
    func otherHashesAreRefused(hash: String, salt: String) throws {
        #expect(try parameters().stored(hash: hash, salt: salt) == nil)
    }

    @Test(arguments: [
        "", "rounds: 8", console.replacing("14", with: "40"), console.replacing("rounds: 8", with: "rounds: x"),
    ])
    func otherParametersAreRefused(text: String) {
        #expect(FirebasePasswordParameters(text: text) == nil)
    }

    @Test func noPasswordIsNeverValid() async throws {
        #expect(try await hasher().verify("", against: PasswordHasher.noPassword) == .invalid)
        #expect(try await hasher().verify("$none$", against: PasswordHasher.noPassword) == .invalid)
    }
}

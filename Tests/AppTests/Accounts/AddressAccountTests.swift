import Mail
import Postgres
import Testing

@testable import App

/// Addresses that look equal are one account, for each mutation that takes one.
@Suite struct AddressAccountTests {
    private static let password = "correct horse battery"
    /// Each looks like the world's "ana@example.org".
    private static let likeAna = [
        "\u{200B}ana@example.org", "ana@example.org\u{FEFF}", "\u{2066}ana@example.org\u{2069}",
        "ana@ｅｘａｍｐｌｅ．org", "ANA@example。org",
    ]

    private func signUp(_ email: String, _ world: World) async throws -> [String] {
        try await world.ask(
            "mutation { signUp(input: {email: \"\(email)\", password: \"a long way to go\"}) { userErrors { code } } }",
            as: .nobody
        ).userErrors
    }

    @Test(arguments: likeAna) func itIsTaken(_ email: String) async throws {
        let world = try await World.make(writers: 8)
        #expect(try await signUp(email, world) == ["TAKEN"])
        let change = try await world.ask(
            """
            mutation { changeEmail(input: {newEmail: "\(email)", password: "\(Self.password)"}) { userErrors { code field } } }
            """, as: .ben)
        #expect(change.userErrors == ["TAKEN newEmail"])
        await world.shutdown()
    }

    @Test func eitherFormOfADomainIsTheAccount() async throws {
        let world = try await World.make(writers: 8)
        #expect(try await signUp("eve@bücher.de", world) == [])
        for email in ["eve@xn--bcher-kva.de", "eve@BU\u{308}CHER.de", "eve@bücher。de"] {
            #expect(try await signUp(email, world) == ["TAKEN"], "\(email)")
        }
        #expect(try await world.texts("select recipient from mails") == ["eve@xn--bcher-kva.de"])
        await world.shutdown()
    }

    @Test(arguments: likeAna + ["an\u{AD}a@example.org", "\u{200D}Ana"]) func itSignsIn(_ login: String) async throws {
        let world = try await World.make(writers: 8)
        #expect(try await world.ask(RateTests.signIn(login, Self.password), as: .nobody).isData)
        await world.shutdown()
    }

    /// Hidden characters would otherwise give as many guesses as there are places for them.
    @Test func itCountsAsTheSameLogin() async throws {
        let world = try await World.make(writers: 8)
        for login in ["ana@example.org"] + Self.likeAna {
            _ = try await world.ask(RateTests.signIn(login, "wrong"), as: .nobody)
        }
        #expect(try await world.number("select count(*) from sign_in_attempts") == 1)
        try await world.execute(script: "update sign_in_attempts set failures = 14, last_at = now()")
        let guess = try await world.ask(RateTests.signIn("a\u{200B}na@example.org", Self.password), as: .nobody)
        #expect(guess.code == "RATE_LIMITED")
        await world.shutdown()
    }

    @Test(arguments: likeAna) func itsPasswordIsReset(_ email: String) async throws {
        let world = try await World.make(writers: 8)
        let request = "mutation { requestPasswordReset(input: {email: \"\(email)\"}) { userErrors { code } } }"
        #expect(try await world.ask(request, as: .nobody).isData)
        #expect(try await world.texts("select recipient from mails") == ["ana@example.org"])
        await world.shutdown()
    }
}

import Auth
import Testing

@testable import App

@Suite struct SignUpRaceTests {
    private static func signUp(_ username: String, _ email: String) -> String {
        """
        mutation { signUp(input: {username: "\(username)", email: "\(email)", password: "a long way to go"}) \
        { accessToken userErrors { code field } } }
        """
    }

    @Test func aHundredOfOneNameHaveOneWinner() async throws {
        let world = try await World.make(writers: 8)
        let answers = try await concurrently(100) { number in
            // Half of them differ in the address, so that either constraint may answer.
            let email = number % 2 == 0 ? "eve@example.org" : "eve\(number)@example.org"
            return try await world.ask(Self.signUp("eve", email), as: .nobody)
        }
        #expect(answers.count { $0.isData && $0.string("signUp", "accessToken") != nil } == 1)
        let lost = answers.filter { !$0.isData }
        #expect(lost.count == 99)
        #expect(
            lost.allSatisfy { [["TAKEN username"], ["TAKEN username", "TAKEN email"]].contains($0.userErrors) },
            "\(Set(lost.flatMap(\.userErrors)))")
        #expect(try await world.number("select count(*) from users where username = 'eve'") == 1)
        #expect(try await world.number("select count(*) from credentials where email like 'eve%'") == 1)
        #expect(try await world.number("select count(*) from users") == 5)
        #expect(try await world.number("select count(*) from sessions where user_agent = 'tests'") == 5)
        await world.shutdown()
    }

    @Test func ofOneAddressTheLosersLeaveNothing() async throws {
        let world = try await World.make(writers: 8)
        let answers = try await concurrently(40) { number in
            try await world.ask(Self.signUp("eve\(number)", "eve@example.org"), as: .nobody)
        }
        #expect(answers.count { $0.isData } == 1)
        #expect(answers.filter { !$0.isData }.allSatisfy { $0.userErrors == ["TAKEN email"] })
        #expect(try await world.number("select count(*) from users") == 5)
        await world.shutdown()
    }

    @Test func beyondTheHashersQueueTheAnswerIsToComeBack() async throws {
        let world = try await World.make(writers: 8).with {
            $0.passwords = PasswordHasher(parameters: WorldTemplate.hashing, threads: 1, queueLimit: 1)
        }
        let answers = try await concurrently(60) { number in
            try await world.ask(Self.signUp("eve\(number)", "eve\(number)@example.org"), as: .nobody)
        }
        let refused = answers.filter { !$0.isData }
        #expect(refused.allSatisfy { $0.code == "UNAVAILABLE" && ($0.retryAfter ?? 0) >= 1 })
        #expect(try await world.number("select count(*) from users") == 4 + 60 - refused.count)
        #expect(refused.count < 60)
        await world.shutdown()
    }

    @Test func anAnonymousAccountIsUpgradedOnce() async throws {
        let world = try await World.make(writers: 8)
        let answers = try await concurrently(20) { number in
            try await world.ask(Self.signUp("zoe\(number)", "zoe\(number)@example.org"), as: .zoe)
        }
        // Those that come when zoe is no anonymous account any more make accounts of their own.
        let conflicts = answers.filter { $0.userErrors == ["CONFLICT"] }
        #expect(answers.filter { !$0.isData }.count == conflicts.count)
        #expect(try await world.number("select count(*) from users") == 4 + 20 - conflicts.count - 1)
        #expect(try await world.number("select count(*) from credentials where user_id = \(worldUUID(0xD))") == 1)
        #expect(
            try await world.number(
                """
                select count(*) from users u where not is_anonymous \
                and not exists (select from credentials k where k.user_id = u.id)
                """) == 0)
        await world.shutdown()
    }
}

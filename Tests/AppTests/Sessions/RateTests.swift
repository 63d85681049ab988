import Postgres
import Testing

@testable import App

@Suite struct RateTests {
    static func signIn(_ login: String, _ password: String) -> String {
        "mutation { signIn(input: {login: \"\(login)\", password: \"\(password)\"}) { userErrors { code } } }"
    }

    @Test func signInsOfAnAddressAreCounted() async throws {
        let world = try await World.make(writers: 8) {
            $0.signInsPerAddress = 30
            // No token comes back while the test runs.
            $0.signInWindow = 1e9
        }
        let answers = try await concurrently(45) { number in
            let context = RequestContext(environment: world.environment, viewer: nil, address: "192.0.2.7")
            // Each alias counts as one try.
            let text = "mutation { a: \(Self.field("nobody\(number)")) b: \(Self.field("nobody")) }"
            return try await world.ask(text, context)
        }
        let limited = answers.reduce(0) { $0 + $1.text.split(separator: "\"RATE_LIMITED\"").count - 1 }
        #expect(limited == 60)
        #expect(answers.allSatisfy { $0.code == nil || ($0.retryAfter ?? 0) >= 1 })
        let other = RequestContext(environment: world.environment, viewer: nil, address: "192.0.2.8")
        #expect(try await world.ask(Self.signIn("ben", "correct horse battery"), other).isData)
        await world.shutdown()
    }

    private static func field(_ login: String) -> String {
        "signIn(input: {login: \"\(login)\", password: \"x\"}) { userErrors { code } }"
    }

    @Test func anonymousAccountsOfAnAddressAreCounted() async throws {
        let world = try await World.make(writers: 8) { $0.anonymousAccountsPerHour = 20 }
        let answers = try await concurrently(30) { _ in
            let context = RequestContext(environment: world.environment, viewer: nil, address: "192.0.2.7")
            return try await world.ask("mutation { signInAnonymously { accessToken } }", context)
        }
        // One comes back in three minutes.
        #expect(answers.count { $0.isData } == 20)
        #expect(answers.filter { !$0.isData }.allSatisfy { $0.code == "RATE_LIMITED" && ($0.retryAfter ?? 0) >= 1 })
        #expect(try await world.number("select count(*) from users where is_anonymous") == 21)
        await world.shutdown()
    }

    @Test func signUpsOfAnAddressAreCounted() async throws {
        let world = try await World.make(writers: 8) {
            $0.signUpsPerMinute = 3
            $0.writesPerMinute = 1
        }
        let text = "mutation { signUp(input: {email: \"\", password: \"\"}) { userErrors { code } } }"
        var codes: [String?] = []
        for address in ["192.0.2.7", "192.0.2.7", "192.0.2.7", "192.0.2.7", "192.0.2.8"] {
            let context = RequestContext(environment: world.environment, viewer: nil, address: address)
            codes.append(try await world.ask(text, context).code)
        }
        #expect(codes == [nil, nil, nil, "RATE_LIMITED", nil])
        await world.shutdown()
    }

    @Test func bucketsOfBusyAccountsAreKept() {
        let rate = WriteRate(perMinute: 1)
        let now = Timestamp.now()
        #expect(rate.take(worldUUID(0xA), now: now) == nil)
        for account in 0..<200_000 as Range<UInt64> { _ = rate.take(UUID(high: 1, low: account), now: now) }
        #expect(rate.take(worldUUID(0xA), now: now) == 60)
    }

    @Test func aHundredAndTwentyWritesAMinute() async throws {
        let time = StoppedClock()
        let world = try await World.make(writers: 8) { $0.writesPerMinute = 120 }.with { $0.now = { time.now } }
        let thought = worldID(.thought, 0x201)
        let document = "mutation { likeThought(input: {thoughtId: \"\(thought)\"}) { clientMutationId } }"
        let answers = try await concurrently(150) { _ in try await world.ask(document, as: .ana) }
        #expect(answers.count { $0.isData } == 120)
        #expect(answers.filter { !$0.isData }.allSatisfy { $0.code == "RATE_LIMITED" && $0.retryAfter == 1 })
        #expect(try await world.ask(document, as: .ben).isData, "A bucket is an account's own.")
        time.advance(by: 1_000)
        for isData in [true, true, false] { #expect(try await world.ask(document, as: .ana).isData == isData) }
        time.advance(by: 3_600_000)
        let later = try await concurrently(150) { _ in try await world.ask(document, as: .ana) }
        #expect(later.count { $0.isData } == 120)
        await world.shutdown()
    }
}

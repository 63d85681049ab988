import Postgres
import Testing

@testable import App

@Suite struct RateTests {
    static func signIn(_ login: String, _ password: String) -> String {
        "mutation { signIn(input: {login: \"\(login)\", password: \"\(password)\"}) { userErrors { code } } }"
    }

    private static let signUp = "mutation { signUp(input: {email: \"\", password: \"\"}) { userErrors { code } } }"

    private func stranger(_ address: String, _ world: World) -> RequestContext {
        RequestContext(environment: world.environment, viewer: nil, address: address)
    }

    /// No unit comes back while the test runs.
    static let longWindow = 1_000_000_000

    @Test func signInsOfAnAddressAreCounted() async throws {
        let world = try await World.make(writers: 8) {
            $0.signIns.quota = 30
            $0.signIns.window = Self.longWindow
        }
        let answers = try await concurrently(45) { number in
            // Each alias counts as one try.
            let text = "mutation { a: \(Self.field("nobody\(number)")) b: \(Self.field("nobody")) }"
            return try await world.ask(text, stranger("192.0.2.7", world))
        }
        let limited = answers.reduce(0) { $0 + $1.text.split(separator: "\"RATE_LIMITED\"").count - 1 }
        #expect(limited == 60)
        #expect(answers.allSatisfy { $0.code == nil || ($0.retryAfter ?? 0) >= 1 })
        let other = stranger("192.0.2.8", world)
        #expect(try await world.ask(Self.signIn("ben", "correct horse battery"), other).isData)
        await world.shutdown()
    }

    private static func field(_ login: String) -> String {
        "signIn(input: {login: \"\(login)\", password: \"x\"}) { userErrors { code } }"
    }

    @Test func anonymousAccountsOfAnAddressAreCounted() async throws {
        let world = try await World.make(writers: 8) { $0.anonymousAccounts.quota = 20 }
        let answers = try await concurrently(30) { _ in
            try await world.ask("mutation { signInAnonymously { accessToken } }", stranger("192.0.2.7", world))
        }
        // One comes back in three minutes.
        #expect(answers.count { $0.isData } == 20)
        #expect(answers.filter { !$0.isData }.allSatisfy { $0.code == "RATE_LIMITED" && ($0.retryAfter ?? 0) >= 1 })
        #expect(try await world.number("select count(*) from users where is_anonymous") == 21)
        await world.shutdown()
    }

    @Test func anySettingOfZeroIsNoLimit() async throws {
        let world = try await World.make(writers: 8) { $0.anonymousAccounts.quota = 0 }
        let context = stranger("192.0.2.7", world)
        for _ in 0..<25 {
            #expect(try await world.ask("mutation { signInAnonymously { accessToken } }", context).isData)
        }
        #expect(context.rateUses == [])
        await world.shutdown()
    }

    @Test func signUpsOfAnAddressAreCounted() async throws {
        let world = try await World.make(writers: 8) {
            $0.signUps.quota = 3
            $0.signUps.window = Self.longWindow
            $0.writes.quota = 1
        }
        var codes: [String?] = []
        for address in ["192.0.2.7", "192.0.2.7", "192.0.2.7", "::ffff:192.0.2.7", "192.0.2.8"] {
            codes.append(try await world.ask(Self.signUp, stranger(address, world)).code)
        }
        #expect(codes == [nil, nil, nil, "RATE_LIMITED", nil])
        await world.shutdown()
    }

    /// One host has all addresses of a /64, and one customer the 65,536 networks of a /48.
    @Test func anIPv6NetworkCountsAsOneAddress() async throws {
        let world = try await World.make(writers: 8) {
            $0.signUps.quota = 2
            $0.signUps.window = Self.longWindow
        }
        for (host, code) in [("1", nil), ("ffff:1", nil), ("2", "RATE_LIMITED")] as [(String, String?)] {
            #expect(try await world.ask(Self.signUp, stranger("2001:db8:0:a::\(host)", world)).code == code)
        }
        // A site has as much as 16 networks: two are used, and the one that was refused took none.
        var allowed = 0
        for network in 100..<140 {
            let context = stranger("2001:db8:0:\(network)::1", world)
            if try await world.ask(Self.signUp, context).code == nil { allowed += 1 }
        }
        #expect(allowed == 30)
        #expect(try await world.number("select count(*) from rate_limits") == 1 + 1 + 30, "Refusals add no rows.")
        #expect(try await world.ask(Self.signUp, stranger("2001:db8:1:a::1", world)).code == nil, "Another site.")
        await world.shutdown()
    }

    /// Whatever number of accounts there is, in the same memory.
    @Test func ratesOfBusyAccountsAreKept() {
        let rate = AccountRate(Rate("writes", 1, in: 60))
        let now = Timestamp.now()
        #expect(rate.take(worldUUID(0xA), now: now)?.isRefused == false)
        for account in 0..<200_000 as Range<UInt64> { _ = rate.take(UUID(high: 1, low: account), now: now) }
        let again = rate.take(worldUUID(0xA), now: now)
        #expect(again?.isRefused == true)
        #expect(again?.next == 60)
    }

    /// A thousand accounts at their limit are no reason to refuse others. Accounts are counted in cells that a random hash
    /// chooses: about one run in 300 has another account of a thousand whose cells are all taken.
    @Test func oneAccountsWritesAreNotAnothers() {
        let rate = AccountRate(Rate("writes", 120, in: 60))
        let now = Timestamp.now()
        for account in 0..<1_000 as Range<UInt64> {
            for _ in 0..<120 { _ = rate.take(UUID(high: 1, low: account), now: now) }
        }
        let others = (0..<1_000 as Range<UInt64>).map { rate.take(UUID(high: 2, low: $0), now: now) }
        #expect(others.count { $0?.isRefused == false } >= 990)
    }

    @Test func aHundredAndTwentyWritesAMinute() async throws {
        let time = StoppedClock()
        let world = try await World.make(writers: 8) { $0.writes.quota = 120 }.with { $0.now = { time.now } }
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

    /// What the composition root makes header fields of.
    @Test func aRequestKnowsWhatItsRatesLeft() async throws {
        let time = StoppedClock()
        let world = try await World.make(writers: 8) {
            $0.writes.quota = 3
            $0.signIns.quota = 2
            $0.signIns.window = Self.longWindow
        }.with { $0.now = { time.now } }
        let like = "likeThought(input: {thoughtId: \"\(worldID(.thought, 0x201))\"}) { clientMutationId }"
        let context = world.context(as: .ana)
        #expect(try await world.ask("{ viewer { id } }", context).isData)
        #expect(context.rateUses == [], "Reads are not counted.")
        _ = try await world.ask("mutation { a: \(like) b: \(like) }", context)
        #expect(context.rateUses == [RateUse(Rate("writes", 3, in: 60), left: 1, wait: 0)])
        #expect(context.rateUses[0].next == 20)
        _ = try await world.ask("mutation { a: \(like) b: \(like) }", context)
        #expect(context.rateUses.map(\.isRefused) == [true])
        #expect(context.rateUses.map(\.remaining) == [0])
        #expect(context.rateUses.map(\.next) == [20])
        for (remaining, isRefused) in [(1, false), (0, false), (0, true)] {
            let context = stranger("192.0.2.7", world)
            _ = try await world.ask(Self.signIn("nobody", "x"), context)
            #expect(context.rateUses.map(\.rate.name) == ["sign-ins"])
            #expect(context.rateUses.map(\.remaining) == [remaining])
            #expect(context.rateUses.map(\.isRefused) == [isRefused])
        }
        await world.shutdown()
    }
}

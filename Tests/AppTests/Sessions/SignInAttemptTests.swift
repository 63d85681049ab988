import Postgres
import Testing

@testable import App

@Suite struct SignInAttemptTests {
    private static let password = "correct horse battery"
    private static let failures: SQL = "select coalesce(sum(failures), 0) from sign_in_attempts"

    private func code(_ login: String, _ password: String, _ world: World) async throws -> String? {
        let answer = try await world.ask(RateTests.signIn(login, password), as: .nobody)
        return answer.code ?? answer.userErrors.first
    }

    @Test func theFifthFailureBacksOff() async throws {
        let world = try await World.make(writers: 8)
        for _ in 0..<5 { #expect(try await code("ana", "wrong", world) == "WRONG_CREDENTIALS") }
        #expect(try await world.number(Self.failures) == 5)
        // As after some more tries, so that no pause of the machine is longer than the wait.
        try await world.execute(script: "update sign_in_attempts set failures = 14, last_at = now()")
        for login in ["ana", "ANA", " ana "] {
            let answer = try await world.ask(RateTests.signIn(login, Self.password), as: .nobody)
            #expect(answer.code == "RATE_LIMITED")
            #expect((1...900).contains(answer.retryAfter ?? 0))
        }
        #expect(try await code("ben", Self.password, world) == nil)
        try await world.execute(script: "update sign_in_attempts set last_at = now() - interval '901 s'")
        #expect(try await code("ana", Self.password, world) == nil)
        #expect(try await world.number(Self.failures) == 0)
        await world.shutdown()
    }

    /// Nothing in the answers tells a login that nobody has from one that somebody has.
    @Test func unknownLoginsWaitAsKnownOnesDo() async throws {
        let world = try await World.make(writers: 8)
        var answers: [[String]] = []
        for login in ["ana", "ana@example.org", "nobody", "nobody@example.org"] {
            var texts: [String] = []
            for _ in 0..<5 { texts.append(try await world.ask(RateTests.signIn(login, "wrong"), as: .nobody).text) }
            try await world.execute(script: "update sign_in_attempts set failures = 14, last_at = now()")
            let limited = try await world.ask(RateTests.signIn(login, "wrong"), as: .nobody)
            let passed = try await world.number(
                "select ceil(extract(epoch from clock_timestamp() - last_at)) from sign_in_attempts")
            #expect((512 - passed...512).contains(limited.retryAfter ?? 0), "\(login)")
            answers.append(texts + [limited.code ?? ""])
            try await world.execute(script: "delete from sign_in_attempts")
        }
        #expect(Set(answers).count == 1)
        #expect(answers[0].last == "RATE_LIMITED")
        await world.shutdown()
    }

    /// One is let through, since it is the only one that was due; the rest are turned away before a hash is computed.
    @Test(arguments: ["ana", "nobody"]) func guessesAtOnceAreCountedBeforeTheyAreCompared(_ login: String) async throws
    {
        let world = try await World.make(writers: 8)
        try await world.execute(
            script: "insert into sign_in_attempts values (sha256('\(login)'), 13, now() - interval '1 hour')")
        let codes = try await concurrently(40) { _ in try await code(login, "wrong", world) }
        #expect(codes.count { $0 == "WRONG_CREDENTIALS" } == 1)
        #expect(codes.count { $0 == "RATE_LIMITED" } == 39)
        #expect(try await world.number(Self.failures) == 14)
        await world.shutdown()
    }

    @Test(
        arguments: [
            (4, 0, nil), (5, 0, 1), (6, 0.5, 1.5), (7, 0, 4), (15, 100, 800), (40, 0, 900), (5, 1, nil),
        ] as [(Int, Double, Double?)])
    func waitsTwiceAsLongEachTime(failures: Int, since: Double, wait: Double?) async throws {
        let world = try await World.make()
        // The last failure is put 1,000 s ahead, so that no pause of the machine ends the wait.
        let ahead = wait == nil ? 0.0 : 1_000
        let start = ContinuousClock.now
        let waits = try await world.rows(
            Waits(
                sql: """
                    with tried as (insert into sign_in_attempts \
                    values ('x', \(Int32(failures)), clock_timestamp() - make_interval(secs => \(since - ahead)))) select 0::float8
                    """))
        #expect(waits == [0])
        let seconds = try await world.rows(Waits(sql: "select begin_sign_in('x', 5)"))[0]
        if let wait {
            let passed = (ContinuousClock.now - start) / .seconds(1)
            #expect((ahead + wait - passed...ahead + wait).contains(seconds))
        } else {
            #expect(seconds == 0)
        }
        await world.shutdown()
    }

    /// A password that found no room to be compared in was not wrong.
    @Test func whatWasNotComparedDoesNotCount() async throws {
        let world = try await World.make(writers: 8)
        let attempt = SignInAttempt(Login("ana"))
        let pool = world.environment.pools.worker
        for _ in 0..<2 { _ = try await pool.run(BeginSignIn(attempt: attempt, allowed: 5)) }
        _ = try await pool.run(Segment([attempt.giveBack]))
        #expect(try await world.number(Self.failures) == 1)
        await world.shutdown()
    }
}

private struct Waits: Statement {
    let sql: SQL
    func decode(_ row: Row) -> Double { row.double(0) }
}

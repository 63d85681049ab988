import Testing

@testable import App

@Suite struct HousekeepingTests {
    /// More than a batch of each; what is still of use stays.
    @Test func sweepsWhatHasServedItsTime() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                insert into revoked_sessions select gen_random_uuid(), now() + make_interval(secs => 600 - n)
                from generate_series(1, 1700) n;
                insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome, created_at)
                select gen_random_uuid(), 'likeThought', n::text, '', '{}',
                now() - interval '24 hours' + make_interval(secs => 600 - n) from generate_series(1, 1700) n;
                insert into rate_limits select n::text, 1, now() - interval '1 day' + make_interval(secs => 600 - n)
                from generate_series(1, 1700) n;
                """)
        await Housekeeping(world.environment).sweep()
        for table in ["revoked_sessions", "idempotency", "rate_limits"] as [StaticString] {
            // Some of what was left has come of age since.
            let rest = try await world.number("select count(*) from \(unsafe: table)")
            #expect((1...599).contains(rest), "\(table): \(rest)")
        }
        await world.shutdown()
    }
}

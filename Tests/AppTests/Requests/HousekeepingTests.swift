import Postgres
import TestSupport
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
                truncate activity_marks;
                insert into activity_marks select now() - interval '400 days' + make_interval(secs => 600 - n), 'READ',
                gen_random_uuid() from generate_series(1, 1700) n;
                insert into rate_limits select n::text, 1, now() - interval '1 day' + make_interval(secs => 600 - n)
                from generate_series(1, 1700) n;
                insert into sign_in_attempts
                select n::text::bytea, 1, now() - interval '1 day' + make_interval(secs => 600 - n)
                from generate_series(1, 1700) n;
                """)
        await Housekeeping(world.environment).sweep()
        for table in ["revoked_sessions", "idempotency", "rate_limits", "sign_in_attempts", "activity_marks"]
            as [StaticString]
        {
            // Some of what was left has come of age since.
            let rest = try await world.number("select count(*) from \(unsafe: table)")
            #expect((1...599).contains(rest), "\(table): \(rest)")
        }
        await world.shutdown()
    }

    @Test func sessionsGoWhenTheirTokensAreAcceptedNoMore() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                create function pg_temp.session(n integer, created text, rotated text, revoked text) returns void
                language sql as $$
                  insert into sessions (id, user_id, family, current_hash, created_at, rotated_at, revoked_at)
                  select ('019b7800-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '\(worldUUID(0xA))',
                    decode(lpad(to_hex(n), 8, '0'), 'hex'), '', now() - created::interval, now() - rotated::interval,
                    now() - revoked::interval
                $$;
                select pg_temp.session(1, '29 days', '29 days', null);
                select pg_temp.session(2, '179 days', '29 days', null);
                select pg_temp.session(3, '31 days', '30 days 1 minute', null);
                select pg_temp.session(4, '180 days 1 minute', '1 day', null);
                select pg_temp.session(5, '1 day', '1 day', '1 minute');
                select pg_temp.session(n, '40 days', '40 days', null) from generate_series(100, 1300) n;
                """)
        await Housekeeping(world.environment).sweep()
        let left = try await world.texts(
            "select right(id::text, 1) from sessions where id::text like '019b7800%' order by 1")
        #expect(left == ["1", "2"])
        #expect(try await world.number("select count(*) from sessions") > 2, "The world's people stay signed in.")
        await world.shutdown()
    }

    /// The transaction could give the object's id to another, whose row of the log must follow the deletion's.
    @Test func aDeletionIsKeptWhileATransactionFromBeforeItRuns() async throws {
        let world = try await World.make()
        let older = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await older.execute(script: "begin; select pg_current_xact_id()")
        try await world.execute(script: "delete from thoughts where id = '\(worldUUID(0x201))'")
        let housekeeping = Housekeeping(world.environment)
        await housekeeping.sweep()
        // The thought and the two comments on it.
        #expect(try await world.number("select count(*) from deleted_objects") == 3)
        await older.close()
        // Transactions in other databases of the cluster count as well.
        try await eventually("the deletions are forgotten") {
            await housekeeping.sweep()
            return try await world.number("select count(*) from deleted_objects") == 0
        }
        await world.shutdown()
    }

    @Test func theLogIsKeptForSevenDays() async throws {
        let world = try await World.make()
        // A partition holds one day, and the sweep must be of the day on which the partitions are made here.
        try await eventually("a day that lasts for three more minutes") {
            try await world.number("select count(*) where (now() at time zone 'UTC')::time < '23:57'") == 1
        }
        try await world.execute(
            script: """
                do $$
                declare
                  day date;
                begin
                  for day in select (now() at time zone 'UTC')::date - n from generate_series(6, 12) as n loop
                    execute format('create table %I partition of change_log for values from (%L) to (%L)',
                      'change_log_' || to_char(day, 'YYYYMMDD'), day::timestamp at time zone 'UTC',
                      (day + 1)::timestamp at time zone 'UTC');
                    execute format('alter table %I owner to tertulia_owner, enable row level security,
                      force row level security', 'change_log_' || to_char(day, 'YYYYMMDD'));
                  end loop;
                end
                $$;
                insert into change_log (at, type, object_id, after, counted)
                select now() - n * interval '1 day', 'comment', gen_random_uuid(),
                  row(gen_random_uuid(), null, null, null, gen_random_uuid(), null)::change_state,
                  row(null, 'PUBLISHED', 'FUNNY', null, null, null)::change_state from generate_series(6, 12) n;
                insert into change_log (at, type, object_id)
                select now() - n * interval '1 hour', 'user', gen_random_uuid()
                from generate_series(13 * 24, 13 * 24 + 599) n;
                """)
        let days: SQL = "select count(distinct at::date) from change_log where at < now() - interval '5 days 12 hours'"
        #expect(try await world.number(days) > 20)
        #expect(try await world.number("select count(*) from change_log_default") == 600)
        await Housekeeping(world.environment).sweep()
        // What was written on the day that is a week ago stays whole.
        #expect(try await world.number(days) == 2)
        #expect(try await world.number("select count(*) from change_log_default") == 0)
        let partitions: SQL = """
            select count(*) from pg_inherits where inhparent = 'change_log'::regclass \
            and inhrelid::regclass::text < 'change_log_' || to_char((now() at time zone 'UTC')::date - 5, 'YYYYMMDD')
            """
        #expect(try await world.number(partitions) == 2)
        // A reader that stopped before the newest row that is gone cannot go on.
        #expect(try await world.number("select count(*) from change_log_floor where xid < pg_current_xact_id()") == 1)
        // The newest day that is gone was written two rows after the first, each of which stands for two changes.
        let first = try await world.number("select min(id) from change_log where at < now() - interval '5 days'")
        #expect(try await world.number("select id from change_log_floor") == first + 2 * 2 + 1)
        await world.shutdown()
    }

    /// A reader of an old partition is waited for briefly: writers stand behind the one who waits.
    @Test func aPartitionInUseIsLeft() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                create table change_log_20200101 partition of change_log for values from ('2020-01-01') to ('2020-01-02');
                alter table change_log_20200101 owner to tertulia_owner;
                """)
        let reader = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await reader.execute("begin")
        try await reader.execute("select from change_log")
        await Housekeeping(world.environment).sweep()
        let kept: SQL = "select count(*) from pg_class where relname = 'change_log_20200101'"
        #expect(try await world.number(kept) == 1)
        try await reader.execute("commit")
        await reader.close()
        await Housekeeping(world.environment).sweep()
        #expect(try await world.number(kept) == 0)
        await world.shutdown()
    }
}

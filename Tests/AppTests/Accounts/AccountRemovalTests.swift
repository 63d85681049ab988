import Postgres
import TestSupport
import Testing

@testable import App

/// A deleted account is hidden at once, and removed in batches, with counters that stay exact.
@Suite(.serialized) struct AccountRemovalTests {
    private static let delete = """
        mutation { deleteAccount(input: {password: "correct horse battery"}) { userErrors { code } } }
        """
    /// The members of a crowd get the password of the world's people.
    private static let credentials = """
        insert into credentials (user_id, email, password_hash)
        select u.id, u.username || '@example.org', (select password_hash from credentials where email = 'ana@example.org')
        from users u where u.username like 'member%'
        """

    /// Until nothing is left to remove.
    private func remove(_ world: World) async throws {
        try await eventually("nothing is left to remove") { try await !AccountRemoval(world.environment).removeNext() }
    }

    @Test func nothingOfItIsLeft() async throws {
        let world = try await World.make()
        let ana = worldUUID(0xA)
        try await world.execute(
            script: """
                insert into thought_saves (thought_id, user_id) values ('\(worldUUID(0x202))', '\(ana)');
                insert into thought_ratings (thought_id, user_id, stars) values ('\(worldUUID(0x202))', '\(ana)', 5);
                insert into thought_shares (thought_id, user_id) values ('\(worldUUID(0x202))', '\(ana)');
                insert into blocks (blocker_id, blocked_id) values ('\(worldUUID(0xC))', '\(ana)');
                insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
                  values ('\(ana)', 'addComment', 'x', '\\x01', '{}');
                update users set avatar_id = '\(worldUUID(0x501))' where id = '\(ana)';
                update thoughts set image_id = '\(worldUUID(0x501))' where id = '\(worldUUID(0x201))';
                """)
        let messages = try await world.number("select count(*) from messages")
        #expect(try await world.ask(Self.delete, as: .ana).isData)
        try await remove(world)
        // Who wrote to others, and with whom they spoke, is nobody now.
        let others = ["conversation_members ", "notifications "]
        let left = try await Truth(of: world).lines.map(\.row).filter { line in
            line.contains(ana.description) && !others.contains { line.hasPrefix($0) }
        }
        #expect(left == [])
        #expect(try await world.number("select count(*) from notifications where user_id = \(ana)") == 0)
        #expect(try await world.number("select count(*) from conversation_members where user_id = \(ana)") == 0)
        #expect(try await world.number("select count(*) from messages") == messages)
        #expect(try await world.number("select count(*) from messages where author_id is null") == 3)
        // Ben's comment under ana's thought went with it; what ana shared of ben's stays counted.
        #expect(try await world.number("select count(*) from comments") == 0)
        #expect(try await world.number("select share_count from thoughts where id = \(worldUUID(0x202))") == 1)
        #expect(try await world.rows(CounterDrift()) == [])
        await world.shutdown()
    }

    /// What readers of the change log wait for stays short.
    @Test func goesInBatches() async throws {
        let world = try await World.make()
        _ = try await Crowd(1_200, in: world)
        try await world.execute(
            script: """
                insert into comments (id, author_id, thought_id, text)
                select gen_random_uuid(), id, '\(worldUUID(0x201))', 'x' from users where username like 'member%';
                insert into thought_likes (thought_id, user_id)
                select '\(worldUUID(0x201))', id from users where username like 'member%';
                insert into event_rsvps (event_id, user_id, status)
                select '\(worldUUID(0x302))', id, 'GOING' from users where username like 'member%';
                insert into thoughts (id, author_id, category, text, status, published_at)
                select gen_random_uuid(), '\(worldUUID(0xA))', 'FUNNY', 'x', 'PUBLISHED', now() from generate_series(1, 1100);
                insert into thoughts (id, author_id, category, text, status, published_at)
                select gen_random_uuid(), '\(worldUUID(0xB))', 'FUNNY', 'x', 'PUBLISHED', now() from generate_series(1, 700);
                insert into thought_likes (thought_id, user_id)
                select id, '\(worldUUID(0xA))' from thoughts where author_id = '\(worldUUID(0xB))';
                insert into comments (id, author_id, thought_id, text)
                select gen_random_uuid(), '\(worldUUID(0xA))', id, 'x' from thoughts where author_id = '\(worldUUID(0xB))';
                truncate change_log;
                """)
        #expect(try await world.ask(Self.delete, as: .ana).isData)
        try await remove(world)
        #expect(try await world.number("select count(*) from users where id = \(worldUUID(0xA))") == 0)
        #expect(try await world.rows(CounterDrift()) == [])
        let most = try await world.number(
            "select max(n) from (select count(*) from change_log group by xid, type, counters_only) as x (n)")
        #expect(most == Int(AccountBatch.size))
        #expect(try await world.number("select count(*) from change_log where type = 'comment'") > 1_900)
        await world.shutdown()
    }

    @Test func whatOneReplicaLeftAnotherGoesOnWith() async throws {
        let world = try await World.make()
        #expect(try await world.ask(Self.delete, as: .ana).isData)
        // As by a replica that then died.
        try await world.execute(
            script: "set role tertulia_worker; select remove_deleted_account('\(worldUUID(0xA))', 1)")
        #expect(try await world.number("select count(*) from deleted_accounts where leased_until > now()") == 1)
        #expect(try await AccountRemoval(world.environment).removeNext() == false)
        try await world.execute(script: "update deleted_accounts set leased_until = now()")
        #expect(try await AccountRemoval(world.environment).removeNext())
        #expect(try await world.number("select count(*) from users where id = \(worldUUID(0xA))") == 0)
        #expect(try await world.number("select count(*) from deleted_accounts") == 0)
        await world.shutdown()
    }

    @Test func amongTheActsOfOthers() async throws {
        let (members, things) = (24, 6)
        let world = try await World.make(writers: 8)
        let crowd = try await Crowd(members, in: world)
        try await world.execute(
            script: Self.credentials + """
                ;
                insert into thoughts (id, author_id, category, text, status, published_at)
                select ('019b7600-0000-7000-8000-0000000007' || lpad(to_hex(n), 2, '0'))::uuid,
                  case when n % 2 = 0 then '\(worldUUID(0xA))'::uuid else '\(worldUUID(0xB))'::uuid end,
                  'FUNNY', 'x', 'PUBLISHED', now() from generate_series(0, \(things - 1)) n;
                insert into thought_likes (thought_id, user_id)
                select t.id, u.id from thoughts t, users u
                where t.id >= '\(worldUUID(0x700))' and u.username like 'member%';
                """)
        let removals = Task {
            while !Task.isCancelled {
                _ = try await concurrently(3) { _ in try await AccountRemoval(world.environment).removeNext() }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        defer { removals.cancel() }
        let answers = try await concurrently(480) { number in
            if number == 300 { return try await world.ask(Self.delete, as: .ana) }
            // Half of the members go, each in the middle of what it does.
            if number % 20 == 19 { return try await crowd.ask(Self.delete, as: number / 20 * 2) }
            let thought = worldID(.thought, 0x700 + UInt64(number % things))
            let field =
                switch number % 7 {
                case 0: "unlikeThought(input: {thoughtId: \"\(thought)\"})"
                case 1: "likeThought(input: {thoughtId: \"\(thought)\"})"
                case 2: "rateThought(input: {thoughtId: \"\(thought)\", stars: \(1 + number % 5)})"
                case 3: "saveThought(input: {thoughtId: \"\(thought)\"})"
                case 4: "rsvp(input: {eventId: \"\(worldID(.event, 0x301))\", status: GOING})"
                default: "addComment(input: {subjectId: \"\(thought)\", text: \"x\"})"
                }
            return try await crowd.ask("mutation { \(field) { clientMutationId } }", as: number * 5)
        }
        removals.cancel()
        _ = try? await removals.value
        // Each of these members sends deleteAccount twice, and the second is UNAUTHENTICATED. No other request here is
        // refused by its token, because the contexts are made without one.
        let deletions = (0..<480).filter { $0 % 20 == 19 }.map { answers[$0] }
        #expect(deletions.codes == ["OK", "UNAUTHENTICATED"])
        let others = (0..<480).filter { $0 % 20 != 19 }.map { answers[$0] }
        #expect(others.codes.isSubset(of: ["OK", "NOT_FOUND", "FORBIDDEN"]), "\(others.codes)")
        #expect(answers[300].isData)
        // A batch that was under way renews its lease once more.
        try await eventually("all deleted accounts are removed") {
            try await world.execute(script: "update deleted_accounts set leased_until = now()")
            try await remove(world)
            return try await world.number("select count(*) from deleted_accounts") == 0
        }
        #expect(try await world.number("select count(*) from users") == 3 + members / 2)
        #expect(try await world.rows(CounterDrift()) == [])
        #expect(try await world.deadlocks() == 0)
    }
}

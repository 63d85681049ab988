import Postgres
import TestSupport
import Testing

@testable import App

/// What an anonymous account had is its person's after they sign in; what both accounts had counts once.
@Suite(.serialized) struct AccountMergeTests {
    private static func signIn(_ login: String) -> String {
        """
        mutation { signIn(input: {login: "\(login)", password: "correct horse battery", mergeAnonymous: true}) \
        { accessToken userErrors { code } } }
        """
    }

    private static let zoe = worldUUID(0xD)
    private static let ana = worldUUID(0xA)

    /// Published thoughts of ben's that zoe liked, saved and rated; ana every other one too.
    private static func marks(_ count: Int) -> String {
        """
        create temporary table made as select gen_random_uuid() as id, n from generate_series(1, \(count)) n;
        insert into thoughts (id, author_id, category, text, status, published_at)
          select id, '\(worldUUID(0xB))', 'FUNNY', 'x', 'PUBLISHED', now() from made;
        insert into thought_likes (thought_id, user_id)
          select id, '\(zoe)'::uuid from made union all select id, '\(ana)'::uuid from made where n % 2 = 0;
        insert into thought_saves (thought_id, user_id)
          select id, '\(zoe)'::uuid from made union all select id, '\(ana)'::uuid from made where n % 2 = 0;
        insert into thought_ratings (thought_id, user_id, stars)
          select id, '\(zoe)'::uuid, 1 from made union all select id, '\(ana)'::uuid, 5 from made where n % 2 = 0;
        """
    }

    @Test func whatBothHadCountsOnce() async throws {
        let world = try await World.make()
        try await world.execute(
            script: Self.marks(10) + """
                insert into thought_shares (thought_id, user_id) select id, '\(Self.zoe)' from made;
                insert into blocks (blocker_id, blocked_id) values
                  ('\(Self.zoe)', '\(worldUUID(0xC))'), ('\(Self.zoe)', '\(Self.ana)'), ('\(worldUUID(0xB))', '\(Self.zoe)');
                update push_devices set user_id = '\(Self.zoe)';
                update images set owner_id = '\(Self.zoe)' where id = '\(worldUUID(0x502))';
                insert into notifications (id, user_id, kind, subject_type, subject_id, actor_id, actors, text)
                  select gen_random_uuid(), account, 'EVENT_CHANGED', 'event', subject, '\(worldUUID(0xB))', '{}', 'x'
                  from (values ('\(Self.zoe)'::uuid, '\(worldUUID(0x301))'::uuid), ('\(Self.ana)', '\(worldUUID(0x301))'),
                    ('\(Self.zoe)', '\(worldUUID(0x302))')) as n (account, subject);
                """)
        let told: SQL = "select sum(actor_count) from notifications where kind in ('LIKE', 'RATING', 'RSVP')"
        let before = try await world.number(told)
        #expect(try await world.ask(Self.signIn("ana"), as: .zoe).isData)
        #expect(try await world.number("select count(*) from users where id = \(Self.zoe)") == 0)
        for table in ["thought_likes", "thought_saves", "thought_ratings"] as [StaticString] {
            // Zoe liked a thought of the world's too.
            let other = "\(table)" == "thought_likes" ? 1 : 0
            let own = try await world.number("select count(*) from \(unsafe: table) where user_id = \(Self.ana)")
            #expect(own == 10 + other, "\(table)")
        }
        // Of two ratings the account's own stays.
        #expect(
            try await world.number("select sum(stars) from thought_ratings where user_id = \(Self.ana)") == 5 * 5 + 5)
        let rsvps = try await world.texts(
            "select status from event_rsvps where user_id = \(Self.ana) and event_id = \(worldUUID(0x301))")
        #expect(rsvps == ["GOING"])
        #expect(try await world.number("select interested_count from events where id = \(worldUUID(0x301))") == 0)
        #expect(try await world.number("select count(*) from thought_shares where user_id = \(Self.ana)") == 10)
        #expect(try await world.number("select count(*) from push_devices where user_id = \(Self.ana)") == 1)
        #expect(try await world.number("select count(*) from images where owner_id = \(Self.ana)") == 2)
        #expect(
            try await world.number(
                "select count(*) from notifications where user_id = \(Self.ana) and kind = 'EVENT_CHANGED'") == 2)
        let blocks = try await world.texts(
            "select right(blocker_id::text, 1) || right(blocked_id::text, 1) from blocks order by 1")
        #expect(blocks == ["ac", "ba"])
        #expect(try await world.rows(CounterDrift()) == [])
        // What was told of a like is not told again.
        #expect(try await world.number(told) == before)
        await world.shutdown()
    }

    @Test func itsSessionEndsAndTheNewOneIsTheOthers() async throws {
        let world = try await World.make()
        let anonymous = try await world.ask("mutation { signInAnonymously { accessToken } }", as: .nobody)
        let token = try #require(anonymous.string("signInAnonymously", "accessToken"))
        let context = try await world.environment.authenticate(
            authorization: "Bearer \(token)", userAgent: "tests", address: nil)
        let both = try await world.ask(
            """
            mutation { signIn(input: {login: "ana", password: "correct horse battery", mergeAnonymous: true}) \
            { viewer { user { username } } } updateProfile(input: {bio: "merged"}) { viewer { user { bio } } } }
            """, context)
        #expect(both.string("signIn", "viewer", "user", "username") == "ana")
        #expect(both.string("updateProfile", "viewer", "user", "bio") == "merged")
        await #expect(throws: EndedSession.self) {
            try await world.environment.authenticate(
                authorization: "Bearer \(token)", userAgent: "tests", address: nil)
        }
        await world.shutdown()
    }

    /// A wrong password, and an account that is not anonymous, move nothing.
    @Test func onlyAnonymousAccountsAreMerged() async throws {
        let world = try await World.make()
        let wrong = Self.signIn("ana").replacing("battery", with: "cattery")
        #expect(try await world.ask(wrong, as: .zoe).userErrors == ["WRONG_CREDENTIALS"])
        #expect(try await world.ask(Self.signIn("ana"), as: .ben).isData)
        #expect(try await world.number("select count(*) from users") == 4)
        #expect(try await world.number("select count(*) from sessions where revoked_at is not null") == 0)
        await world.shutdown()
    }

    @Test func moreThanABatchMovesUnderARecord() async throws {
        let world = try await World.make()
        try await world.execute(script: Self.marks(700))
        #expect(try await world.ask(Self.signIn("ana"), as: .zoe).isData)
        #expect(try await world.number("select count(*) from account_merges") == 1)
        #expect(try await world.number("select count(*) from thought_likes where user_id = \(Self.zoe)") == 201)
        #expect(try await world.rows(CounterDrift()) == [])
        // As by a replica that then died.
        try await world.execute(
            script: "set role tertulia_worker; select merge_account('\(Self.zoe)', '\(Self.ana)', 500)")
        #expect(try await AccountMerge(world.environment).mergeNext() == false)
        try await world.execute(script: "update account_merges set leased_until = now()")
        #expect(try await AccountMerge(world.environment).mergeNext())
        #expect(try await world.number("select count(*) from users where id = \(Self.zoe)") == 0)
        #expect(try await world.number("select count(*) from account_merges") == 0)
        #expect(try await world.number("select count(*) from thought_likes where user_id = \(Self.ana)") == 701)
        #expect(try await world.number("select count(*) from thought_saves where user_id = \(Self.ana)") == 700)
        #expect(try await world.number("select sum(stars) from thought_ratings where user_id = \(Self.ana)") == 350 * 6)
        #expect(try await world.rows(CounterDrift()) == [])
        await world.shutdown()
    }

    /// What a person deleted does not come back with a merge.
    @Test func whoseSourceIsDeleted() async throws {
        let world = try await World.make()
        let likes: SQL = "select count(*) from thought_likes where user_id = \(Self.ana)"
        let before = try await world.number(likes)
        #expect(try await world.ask("mutation { deleteAccount(input: {}) { userErrors { code } } }", as: .zoe).isData)
        #expect(try await world.ask(Self.signIn("ana"), as: .zoe).isData)
        #expect(try await world.number(likes) == before)
        #expect(try await world.number("select count(*) from thought_likes where user_id = \(Self.zoe)") == 1)
        #expect(try await world.number("select count(*) from account_merges") == 0)
        await world.shutdown()
    }

    /// The access token of the anonymous account may still be accepted for a moment.
    @Test func anAccountThatIsBeingMergedIsSignedOut() async throws {
        let world = try await World.make()
        try await world.execute(
            script: Self.marks(700) + "update push_devices set user_id = '\(Self.zoe)', session_id = null;")
        #expect(try await world.ask(Self.signIn("ana"), as: .zoe).isData)
        let signUp = "{username: \"zoe\", email: \"zoe@example.org\", password: \"a long quiet evening\"}"
        for mutation in ["signUp(input: \(signUp))", "deleteAccount(input: {})", "requestEmailConfirmation"] {
            let answer = try await world.ask("mutation { \(mutation) { userErrors { code } } }", as: .zoe)
            #expect(answer.code == "UNAUTHENTICATED", "\(mutation): \(answer.text)")
        }
        #expect(try await world.ask(Self.signIn("ben"), as: .zoe).isData)
        #expect(try await world.number("select count(*) from push_devices where user_id = \(Self.ana)") == 1)
        try await world.execute(script: "update account_merges set leased_until = now()")
        #expect(try await AccountMerge(world.environment).mergeNext())
        #expect(try await world.number("select count(*) from thought_likes where user_id = \(Self.ana)") == 701)
        #expect(try await world.number("select count(*) from users where id = \(Self.zoe)") == 0)
        await world.shutdown()
    }

    /// An earlier release let an account sign up while it was merged. The record of the merge then stayed.
    @Test func aMemberWithARecordIsNotSignedOut() async throws {
        let world = try await World.make()
        try await world.execute(
            script: "insert into account_merges (source_id, target_id) values ('\(worldUUID(0xB))', '\(Self.ana)')")
        let delete = "deleteAccount(input: {password: \"correct horse battery\"}) { userErrors { code } }"
        #expect(try await world.ask("mutation { \(delete) }", as: .ben).isData)
        await world.shutdown()
    }

    /// What was to become a deleted account's goes with it.
    @Test func whoseAccountIsDeletedMeanwhile() async throws {
        let world = try await World.make()
        try await world.execute(script: Self.marks(300))
        #expect(try await world.ask(Self.signIn("ana"), as: .zoe).isData)
        #expect(try await world.number("select count(*) from account_merges") == 1)
        let delete = "deleteAccount(input: {password: \"correct horse battery\"}) { userErrors { code } }"
        #expect(try await world.ask("mutation { \(delete) }", as: .ana).isData)
        try await eventually("nothing is left to remove") { try await !AccountRemoval(world.environment).removeNext() }
        #expect(try await world.number("select count(*) from users") == 2)
        #expect(try await world.number("select count(*) from thought_likes") == 0)
        #expect(try await world.rows(CounterDrift()) == [])
        await world.shutdown()
    }

    /// Many anonymous accounts of one person at once, each signing in twice, while that person marks the same things.
    @Test func manyAtOnce() async throws {
        let (sources, things) = (12, 8)
        let world = try await World.make(writers: 8).with {
            $0.limits.failuresBeforeBackOff = 0
        }
        let crowd = try await Crowd(sources, in: world)
        try await world.execute(
            script: """
                update users set is_anonymous = true, username = null where username like 'member%';
                insert into thoughts (id, author_id, category, text, status, published_at)
                select ('019b7600-0000-7000-8000-0000000007' || lpad(to_hex(n), 2, '0'))::uuid, '\(worldUUID(0xB))',
                  'FUNNY', 'x', 'PUBLISHED', now() from generate_series(0, \(things - 1)) n;
                insert into thought_likes (thought_id, user_id)
                select t.id, u.id from thoughts t, users u where t.id >= '\(worldUUID(0x700))' and u.display_name like 'Member %';
                insert into thought_saves (thought_id, user_id)
                select t.id, u.id from thoughts t, users u where t.id >= '\(worldUUID(0x700))' and u.display_name like 'Member %';
                insert into event_rsvps (event_id, user_id, status)
                select '\(worldUUID(0x301))', u.id, 'INTERESTED' from users u where u.display_name like 'Member %'
                on conflict do nothing;
                """)
        let answers = try await concurrently(sources * 2 + 120) { number in
            if number % 6 == 0 { return try await crowd.ask(Self.signIn("ana"), as: number / 6) }
            let thought = worldID(.thought, 0x700 + UInt64(number % things))
            let field =
                switch number % 4 {
                case 0: "unlikeThought(input: {thoughtId: \"\(thought)\"})"
                case 1: "likeThought(input: {thoughtId: \"\(thought)\"})"
                case 2: "saveThought(input: {thoughtId: \"\(thought)\"})"
                default: "rsvp(input: {eventId: \"\(worldID(.event, 0x301))\", status: GOING})"
                }
            return try await world.ask("mutation { \(field) { clientMutationId } }", as: .ana)
        }
        #expect(answers.codes == ["OK"], "\(answers.codes)")
        #expect(try await world.number("select count(*) from users where is_anonymous") == 1)
        #expect(try await world.number("select count(*) from thought_saves") == things)
        #expect(try await world.number("select count(*) from thought_likes") <= things + 2)
        #expect(try await world.rows(CounterDrift()) == [])
        #expect(try await world.deadlocks() == 0)
    }
}

import Postgres

@testable import App

/// Writes and reads as a forgotten check would send them.
enum RawStatements {
    struct Group: Sendable {
        let about: String
        let viewer: Person
        /// Refused by a grant or by a policy: 42501.
        var denied: [SQL] = []
        /// Allowed, but there is no row that they may touch or see.
        var nothing: [SQL] = []
    }

    private static let ana = worldUUID(0xA)
    private static let ben = worldUUID(0xB)
    private static let zoe = worldUUID(0xD)
    private static let anas = worldUUID(0x201)
    private static let bens = worldUUID(0x202)
    private static let draft = worldUUID(0x204)
    private static let bensEvent = worldUUID(0x301)
    private static let anasEvent = worldUUID(0x302)
    private static let new = worldUUID(0x9FF)

    /// Rows of others in every table that has an owner.
    static let script = """
        insert into thought_saves (thought_id, user_id) values ('\(anas)', '\(ana)');
        insert into thought_ratings (thought_id, user_id, stars) values ('\(bens)', '\(ana)', 5);
        insert into thought_shares (thought_id, user_id) values ('\(bens)', '\(ana)');
        insert into blocks (blocker_id, blocked_id) values ('\(ana)', '\(ben)');
        insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
          values ('\(ana)', 'addComment', 'x', '\\x01', '{}');
        insert into one_time_tokens (hash, user_id, purpose, email, expires_at)
          values ('\\x01', '\(ben)', 'RESET_PASSWORD', 'ben@example.org', now() + interval '1 hour');
        insert into mails (id, kind, recipient, user_id) values ('\(new)', 'CONFIRM_EMAIL', 'ben@example.org', '\(ben)');
        insert into suspensions (user_id, until, reason) values ('\(ben)', '2026-01-01', 'SPAM');
        insert into revoked_sessions (session_id, expires_at) values ('\(new)', now() + interval '1 hour');
        insert into thought_ranks (thought_id, kind, rank) values ('\(draft)', 'MOST_LIKED', 3);
        """

    static let all: [Group] = [
        thoughts, likes, search, marks, comments, events, rsvps, users, secrets, records, safety, functions, schema,
        anonymous,
        moderator, ChatRawStatements.outsider, ChatRawStatements.oneWhoLeft,
    ]

    private static let thoughts = Group(
        about: "thoughts", viewer: .ben,
        denied: [
            """
            insert into thoughts (id, author_id, category, text, status) \
            values (\(new), \(ana), 'FUNNY', 'x', 'DRAFT')
            """,
            """
            insert into thoughts (id, author_id, category, text, status, like_count) \
            values (\(new), \(ben), 'FUNNY', 'x', 'DRAFT', 9)
            """,
            """
            insert into thoughts (id, author_id, category, text, status, created_at) \
            values (\(new), \(ben), 'FUNNY', 'x', 'DRAFT', '2099-01-01')
            """,
            "update thoughts set author_id = \(ana) where id = \(bens)",
            "update thoughts set like_count = 9 where id = \(bens)",
            "update thoughts set comment_count = 9 where id = \(bens)",
            "update thoughts set rating_count = 1, rating_total = 5 where id = \(bens)",
            "update thoughts set created_at = now() where id = \(bens)",
            "update thoughts set id = \(new) where id = \(bens)",
            "truncate thoughts cascade",
        ],
        nothing: [
            "update thoughts set text = 'x' where author_id = \(ana)",
            "update thoughts set status = 'PUBLISHED', published_at = now() where id = \(draft)",
            "delete from thoughts where author_id = \(ana)",
            "select text from thoughts where id = \(draft)",
            "select from thought_saves",
            "select from thought_ratings",
        ])

    private static let likes = Group(
        about: "likes", viewer: .ben,
        denied: [
            "insert into thought_likes (thought_id, user_id) values (\(bens), \(ana))",
            "insert into thought_likes (thought_id, user_id) values (\(draft), \(ben))",
            "insert into thought_likes (thought_id, user_id, created_at) values (\(bens), \(ben), '2099-01-01')",
            "update thought_likes set user_id = \(ana)",
        ],
        nothing: ["delete from thought_likes where user_id <> \(ben)"])

    private static let search = Group(
        about: "what can be found", viewer: .ben,
        denied: [
            "insert into search_entries values (\(new), 'THOUGHT', now(), '')",
            "update search_entries set words = ''", "delete from search_entries",
            "select from activity_marks", "insert into activity_marks values (now(), 'READ', \(ben))",
            "select counter_drift('thought', '{}')", "select recount('thought', \(anas), true)",
        ],
        nothing: ["select from search_entries where id = \(draft)"])

    private static let marks = Group(
        about: "saves, ratings and shares", viewer: .ben,
        denied: [
            "insert into thought_saves (thought_id, user_id) values (\(bens), \(ana))",
            "insert into thought_saves (thought_id, user_id) values (\(draft), \(ben))",
            "insert into thought_saves (thought_id, user_id, created_at) values (\(bens), \(ben), '2099-01-01')",
            "update thought_saves set user_id = \(ana)",
            "insert into thought_ratings (thought_id, user_id, stars) values (\(anas), \(zoe), 1)",
            "insert into thought_ratings (thought_id, user_id, stars) values (\(draft), \(ben), 1)",
            "update thought_ratings set user_id = \(ana)",
            "update thought_ratings set thought_id = \(anas)",
            "insert into thought_shares (thought_id, user_id) values (\(bens), \(ana))",
            "insert into thought_shares (thought_id, user_id) values (\(bens), null)",
            "insert into thought_shares (thought_id, user_id) values (\(draft), \(ben))",
            "select from thought_shares",
            "delete from thought_shares",
            "update thought_shares set thought_id = \(anas)",
        ],
        nothing: [
            "delete from thought_saves",
            "update thought_ratings set stars = 1",
            "delete from thought_ratings",
        ])

    private static let comments = Group(
        about: "comments", viewer: .ben,
        denied: [
            "insert into comments (id, author_id, thought_id, text) values (\(new), \(ana), \(anas), 'x')",
            "insert into comments (id, author_id, thought_id, text) values (\(new), \(ben), \(draft), 'x')",
            """
            insert into comments (id, author_id, thought_id, text, created_at) \
            values (\(new), \(ben), \(anas), 'x', '2026-01-01')
            """,
            "update comments set author_id = \(ana) where author_id = \(ben)",
            "update comments set thought_id = \(bens) where author_id = \(ben)",
            "update comments set created_at = now() where author_id = \(ben)",
        ],
        nothing: [
            "update comments set text = 'x' where author_id <> \(ben)",
            "delete from comments where author_id <> \(ben)",
            "select from comments where thought_id = \(draft)",
            "update comments set text = 'x' where thought_id = \(draft)",
            "delete from comments where thought_id = \(draft)",
        ])

    private static let events = Group(
        about: "events", viewer: .ben,
        denied: [
            """
            insert into events (id, author_id, name, description, starts_at, ends_at) \
            values (\(new), \(ana), 'x', 'x', now(), now())
            """,
            """
            insert into events (id, author_id, name, description, starts_at, ends_at, going_count) \
            values (\(new), \(ben), 'x', 'x', now(), now(), 9)
            """,
            "update events set author_id = \(ana) where id = \(bensEvent)",
            "update events set going_count = 9 where id = \(bensEvent)",
            "update events set comment_count = 9 where id = \(bensEvent)",
        ],
        nothing: [
            "update events set name = 'x' where id = \(anasEvent)",
            "delete from events where id = \(anasEvent)",
        ])

    private static let rsvps = Group(
        about: "RSVPs", viewer: .ben,
        denied: [
            "insert into event_rsvps (event_id, user_id, status) values (\(bensEvent), \(worldUUID(0xC)), 'GOING')",
            "insert into event_rsvps (event_id, user_id, status) values (\(new), \(ben), 'GOING')",
            "update event_rsvps set user_id = \(ben)",
        ],
        nothing: [
            "update event_rsvps set status = 'INTERESTED'",
            "delete from event_rsvps",
        ])

    private static let users = Group(
        about: "users", viewer: .ben,
        denied: [
            "insert into users (id, display_name) values (\(new), 'x')",
            "delete from users where id = \(ben)",
            "update users set role = 'ADMIN' where id = \(ben)",
            "update users set is_anonymous = true where id = \(ben)",
            "update users set id = \(new) where id = \(ben)",
            "insert into blocks (blocker_id, blocked_id) values (\(ana), \(zoe))",
            "update blocks set blocker_id = \(ben)",
            """
            insert into images (id, owner_id, sha256, mime_type, width, height, byte_size) \
            values (\(new), \(ben), '\\x01', 'image/png', 1, 1, 1)
            """,
            "update images set owner_id = \(ben)",
            "delete from report_images",
            "select keep_reported_image(\(new))",
            "select clear_image(\(new), 1)",
            "select bytes from image_contents",
            "update images set check_at = null",
            "select from released_image_contents",
            "select sweep_images(1)",
            "select sweep_image_contents(1)",
        ],
        nothing: [
            "select from images where owner_id <> \(ben)",
            "delete from images where owner_id <> \(ben)",
            "select from report_images",
            "update users set bio = 'x' where id <> \(ben)",
            "select from blocks",
            "delete from blocks",
        ])

    private static let secrets = Group(
        about: "secrets", viewer: .ben,
        denied: [
            "select password_hash from credentials",
            "select * from credentials",
            "select failed_sign_ins from credentials",
            "insert into credentials (user_id, email, password_hash) values (\(zoe), 'z@example.org', 'x')",
            "update credentials set email = 'x@example.org' where user_id = \(ben)",
            "delete from credentials",
            "select current_hash from sessions",
            "select parent_hash from sessions",
            "select family from sessions",
            "select * from sessions",
            "insert into sessions (id, user_id, family, current_hash) values (\(new), \(ana), '\\x01', '\\x01')",
            "update sessions set revoked_at = now()",
            "delete from sessions",
            "select from one_time_tokens",
            """
            insert into one_time_tokens (hash, user_id, purpose, email, expires_at) \
            values ('\\x02', \(ana), 'RESET_PASSWORD', 'ana@example.org', now())
            """,
            "delete from one_time_tokens",
            "select from mails",
            "insert into mails (id, kind, recipient) values (\(new), 'RESET_PASSWORD', 'ana@example.org')",
            "update mails set recipient = 'ben@example.org'",
            "delete from mails",
            "insert into deleted_accounts (user_id) values (\(ana))",
            "select deleted_at from deleted_accounts",
            "delete from deleted_accounts",
            "select from account_merges",
            "insert into account_merges (source_id, target_id) values (\(zoe), \(ben))",
            "select remove_deleted_account(\(ana), 500)",
            "select merge_account(\(zoe), \(ben), 500)",
            "select begin_merge(\(zoe), \(ben), 500)",
            "select remove_things(array[\(anas)], 500)",
        ],
        nothing: [
            "select email from credentials where user_id <> \(ben)",
            "select id from sessions where user_id <> \(ben)",
        ])

    private static let records = Group(
        about: "records", viewer: .ben,
        denied: [
            """
            insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome) \
            values (\(ana), 'x', 'x', '\\x01', '{}')
            """,
            """
            insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome, created_at) \
            values (\(ben), 'x', 'x', '\\x01', '{}', '2099-01-01')
            """,
            "update idempotency set account_id = \(ben)",
            "select from change_log",
            "select from change_log_default",
            "insert into change_log (type, object_id) values ('user', \(ben))",
            "insert into change_log_default (type, object_id) values ('user', \(ben))",
            "delete from change_log",
            "select from revoked_sessions",
            "insert into revoked_sessions (session_id, expires_at) values (\(ana), now())",
            "delete from revoked_sessions",
            "select from rate_limits",
            "insert into rate_limits (key, tokens) values ('x', 9)",
            "select from sign_in_attempts",
            "delete from sign_in_attempts",
            "select from thought_ranks_position",
            "select from outbox_position",
            "update outbox_position set id = 0",
            "insert into thought_ranks (thought_id, kind, rank) values (\(bens), 'MOST_LIKED', 9)",
            "update thought_ranks set rank = 9",
            "delete from thought_ranks",
        ],
        nothing: [
            "select from idempotency",
            "delete from idempotency",
            "update idempotency set outcome = '{}'",
            "select from thought_ranks where thought_id = \(draft)",
        ])

    private static let safety = Group(
        about: "reports and the moderation log", viewer: .zoe,
        denied: [
            """
            insert into reports (id, reporter_id, subject_type, subject_id, reason) \
            values (\(new), \(ben), 'thought', \(anas), 'SPAM')
            """,
            """
            insert into reports (id, reporter_id, subject_type, subject_id, reason, status) \
            values (\(new), \(zoe), 'thought', \(anas), 'SPAM', 'DISMISSED')
            """,
            "update reports set status = 'DISMISSED'",
            "delete from reports",
            "select from moderation_log",
            "insert into moderation_log (moderator_id, action, subject_type, subject_id) values (\(zoe), 'REMOVED', 'x', \(anas))",
            "delete from moderation_log",
            "update hidden_people set blocked_by = '{}'",
            "insert into hidden_people (viewer_id) values (\(zoe))",
            "delete from hidden_people",
            "insert into suspensions (user_id, until, reason) values (\(ben), '2099-01-01', 'SPAM')",
            "delete from suspensions",
            "select from push_receipts",
        ],
        nothing: ["select from reports", "select from hidden_people", "select from suspensions"])

    /// What somebody may not see whom ana blocked.
    static let nothingToTheBlocked: [SQL] = [
        "select from thoughts where author_id = \(ana)",
        "select from users where id = \(ana)",
        "select from comments where author_id = \(ana)",
        "select from comments where thought_id = \(anas)",
        "select from events where author_id = \(ana)",
        "select from event_rsvps where user_id = \(ana)",
        "select from thought_likes where thought_id = \(anas) and user_id <> \(ben)",
        "select from thought_likes where user_id = \(ana)",
        "select from person_to_block(\(ana))",
        "select from blocks",
    ]

    static let deniedToTheBlocked: [SQL] = [
        "insert into thought_likes (thought_id, user_id) values (\(worldUUID(0x203)), \(ben))",
        "insert into thought_saves (thought_id, user_id) values (\(anas), \(ben))",
        "insert into thought_ratings (thought_id, user_id, stars) values (\(anas), \(ben), 1)",
        "insert into thought_shares (thought_id, user_id) values (\(anas), \(ben))",
        "insert into comments (id, author_id, thought_id, text) values (\(new), \(ben), \(anas), 'x')",
        "insert into comments (id, author_id, event_id, text) values (\(new), \(ben), \(anasEvent), 'x')",
        "insert into event_rsvps (event_id, user_id, status) values (\(anasEvent), \(ben), 'GOING')",
    ]

    private static let functions = Group(
        about: "functions", viewer: .ben,
        denied: [
            "select make_change_log_partitions(1)",
            "select take_rate('x', null, 1, 1)",
            "select bucket_level('x', 1, 1)",
            "select add_to_like_count(\(bens), 9)",
            "select add_to_comment_count(\(bens), null, 9, null)",
            "select add_to_mark_counts(\(bens), 9, 9, 9, 9)",
            "select begin_ranking(1, 0)",
            "select rank_thoughts('{}')",
            "select drop_change_log_partition(0)",
            "select begin_sign_in('x', 5)",
            "select add_to_rsvp_counts(\(bensEvent), 9, 9)",
        ])

    private static let schema = Group(
        about: "schema", viewer: .ben,
        denied: [
            "create table own (id integer)",
            "create function own() returns integer language sql return 1",
            "alter table thoughts disable row level security",
            "drop policy visible on thoughts",
            "alter table thoughts disable trigger all",
            "create policy own on thoughts using (true)",
            "alter role tertulia_server bypassrls",
            "grant tertulia_owner to tertulia_server",
        ])

    private static let anonymous = Group(
        about: "what needs a full account", viewer: .zoe,
        denied: [
            """
            insert into thoughts (id, author_id, category, text, status) \
            values (\(new), \(zoe), 'FUNNY', 'x', 'DRAFT')
            """,
            "insert into comments (id, author_id, thought_id, text) values (\(new), \(zoe), \(anas), 'x')",
            """
            insert into events (id, author_id, name, description, starts_at, ends_at) \
            values (\(new), \(zoe), 'x', 'x', now(), now())
            """,
        ])

    private static let moderator = Group(
        about: "what a moderator may not", viewer: .mod,
        nothing: [
            "update thoughts set text = 'x'",
            "update comments set text = 'x'",
            "update events set name = 'x'",
            "delete from thoughts where id = \(draft)",
            "delete from comments where thought_id = \(draft)",
            "delete from thought_likes",
            "delete from event_rsvps",
            "select email from credentials where user_id = \(ana)",
        ])

    static let allowedToBen: [SQL] = [
        "delete from images where owner_id = \(ben)",
        "update thoughts set text = 'x' where author_id = \(ben)",
        "update comments set text = 'x' where author_id = \(ben)",
        "insert into thought_likes (thought_id, user_id) values (\(bens), \(ben))",
        "insert into comments (id, author_id, thought_id, text) values (\(new), \(ben), \(anas), 'x')",
        "insert into thought_saves (thought_id, user_id) values (\(anas), \(ben))",
        "insert into thought_ratings (thought_id, user_id, stars) values (\(anas), \(ben), 1)",
        "update thought_ratings set stars = 2",
        "delete from thought_ratings",
        "delete from thought_saves",
        "insert into thought_shares (thought_id, user_id) values (\(anas), \(ben))",
        "insert into event_rsvps (event_id, user_id, status) values (\(bensEvent), \(ben), 'GOING')",
        "update users set bio = 'x'",
        "select email from credentials",
        "select id from sessions",
        """
        insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome) \
        values (\(ben), 'x', 'x', '\\x01', '{}')
        """,
        "delete from thought_likes where thought_id = \(bens)",
        "delete from events where author_id = \(ben)",
        "update messages set text = 'x' where author_id = \(ben)",
        "update conversation_members set last_read_number = 1 where user_id = \(ben) and left_at is null",
        "delete from messages where author_id = \(ben)",
        "update notifications set read_at = now() where kind = 'RSVP'",
    ]

    static let deniedToNobody: [SQL] = [
        "insert into thoughts (id, author_id, category, text, status) values (\(new), \(ana), 'FUNNY', 'x', 'DRAFT')",
        "insert into thought_likes (thought_id, user_id) values (\(anas), \(ana))",
        "insert into thought_saves (thought_id, user_id) values (\(anas), \(ana))",
        "insert into thought_ratings (thought_id, user_id, stars) values (\(anas), \(ana), 1)",
        "insert into thought_shares (thought_id, user_id) values (\(anas), null)",
        "insert into comments (id, author_id, thought_id, text) values (\(new), \(ana), \(anas), 'x')",
        "insert into event_rsvps (event_id, user_id, status) values (\(bensEvent), \(ben), 'GOING')",
    ]

    static let visible: SQL = """
        select 'thoughts ' || count(*) || ', ' || count(*) filter (where status = 'DRAFT') || ' drafts' from thoughts \
        union all select 'comments ' || count(*) from comments \
        union all select 'likes ' || count(*) from thought_likes \
        union all select 'saves ' || count(*) from thought_saves \
        union all select 'ratings ' || count(*) from thought_ratings \
        union all select 'events ' || count(*) from events \
        union all select 'rsvps ' || count(*) from event_rsvps \
        union all select 'conversations ' || count(*) from conversations \
        union all select 'members ' || count(*) from conversation_members \
        union all select 'messages ' || count(*) from messages \
        union all select 'notifications ' || count(*) from notifications \
        union all select 'devices ' || count(*) from push_devices \
        union all select 'users ' || count(*) from users \
        union all select 'credentials ' || count(email) from credentials \
        union all select 'sessions ' || count(id) from sessions \
        union all select 'idempotency ' || count(*) from idempotency \
        union all select 'blocks ' || count(*) from blocks \
        union all select 'images ' || count(*) from images
        """
}

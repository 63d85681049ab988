/// Thousands of people and things around those of `world.sql`, by statements that give the same data each time.
/// The first thought, the first event and Ana have many rows of everything, as popular ones have.
enum LargeWorld {
    static let script = """
        set session_replication_role = replica;
        create function pg_temp.id(kind integer, n bigint) returns uuid language sql immutable as
          $$ select ('019b7700-0000-7' || lpad(to_hex(kind), 3, '0') || '-8000-' || lpad(to_hex(n), 12, '0'))::uuid $$;

        insert into users (id, username, display_name, is_anonymous, created_at)
        select pg_temp.id(1, n), case when n % 4 > 0 then 'user' || n end, 'User ' || n, n % 4 = 0,
          '2026-01-05'::timestamptz + n * interval '1 minute' from generate_series(1, 2000) n;
        insert into sessions (id, user_id, family, current_hash)
        select pg_temp.id(2, n), pg_temp.id(1, n), decode(md5(n::text), 'hex'), sha256(n::text::bytea)
        from generate_series(1, 2000) n;
        insert into credentials (user_id, email, password_hash)
        select pg_temp.id(1, n), 'user' || n || '@example.org', 'x' from generate_series(1, 2000) n where n % 4 > 0;
        insert into image_contents (sha256, bytes) select sha256(n::text::bytea), 'x' from generate_series(1, 2000) n;
        insert into images (id, owner_id, sha256, mime_type, width, height, byte_size)
        select pg_temp.id(3, n), pg_temp.id(1, n), sha256(n::text::bytea), 'image/png', 1, 1, 1
        from generate_series(1, 2000) n;

        insert into thoughts (id, author_id, category, text, image_id, status, created_at, published_at, like_count,
          comment_count, rating_count, rating_total)
        select pg_temp.id(4, n), case when n % 20 = 0 then (select id from users where username = 'ana')
            else pg_temp.id(1, 1 + n % 2000) end,
          (array['FUNNY', 'SERIOUS', 'CRAZY'])[1 + n % 3], 'Thought ' || n || ' ' || left(md5((n % 300)::text), 6),
          case when n % 10 = 0 then pg_temp.id(3, 1 + n % 2000) end,
          case when n % 50 = 0 then 'DRAFT' else 'PUBLISHED' end, at, case when n % 50 > 0 then at end,
          n * 7919 % 101, n * 104729 % 31, n % 5, n % 5 * 3
        from generate_series(1, 20000) n, lateral (select '2026-01-05'::timestamptz + n * interval '1 minute' as at) a;
        insert into thought_ranks (thought_id, kind, rank)
        select id, kind, rank from thoughts cross join lateral (values ('MOST_LIKED', like_count),
          ('MOST_DISCUSSED', comment_count),
          ('BEST_RATED', 1000 * (rating_total + 15) / (rating_count + 5))) as ranks (kind, rank)
        where status = 'PUBLISHED' on conflict do nothing;
        insert into events (id, author_id, name, description, starts_at, ends_at, created_at)
        select pg_temp.id(5, n), pg_temp.id(1, 1 + n % 2000), 'Event ' || n, 'x',
          at + interval '100 days', at + interval '101 days', at
        from generate_series(1, 5000) n, lateral (select '2026-01-05'::timestamptz + n * interval '4 minutes' as at) a;

        insert into comments (id, author_id, thought_id, event_id, text, created_at)
        select pg_temp.id(6, n), pg_temp.id(1, 1 + n % 2000),
          case when n % 10 > 0 then case when n % 10 = 1 then (select min(id::text)::uuid from thoughts)
            else pg_temp.id(4, 1 + n * 7919 % 20000) end end,
          case when n % 10 = 0 then case when n % 20 = 0 then (select min(id::text)::uuid from events)
            else pg_temp.id(5, 1 + n * 7919 % 5000) end end,
          'Comment ' || n, '2026-01-05'::timestamptz + n * interval '1 minute'
        from generate_series(1, 60000) n;
        insert into thought_likes (thought_id, user_id, created_at)
        select case when n <= 2000 then (select min(id::text)::uuid from thoughts)
            else pg_temp.id(4, 1 + n * 7919 % 20000) end,
          pg_temp.id(1, 1 + n % 2000), '2026-01-06'::timestamptz + n * interval '1 second'
        from generate_series(1, 60000) n on conflict do nothing;
        insert into thought_saves select thought_id, user_id, created_at from thought_likes limit 20000;
        insert into thought_ratings (thought_id, user_id, stars) select thought_id, user_id, 4 from thought_likes
        limit 20000;
        insert into thought_shares (thought_id, user_id) select thought_id, user_id from thought_likes limit 20000;
        insert into event_rsvps (event_id, user_id, status, created_at)
        select case when n <= 2000 then (select min(id::text)::uuid from events)
            else pg_temp.id(5, 1 + n * 7919 % 5000) end,
          pg_temp.id(1, 1 + n % 2000), (array['INTERESTED', 'GOING'])[1 + n % 2],
          '2026-01-06'::timestamptz + n * interval '1 second'
        from generate_series(1, 20000) n on conflict do nothing;
        insert into conversations (id, people_key, last_number)
        select pg_temp.id(7, n), md5(n::text)::uuid, 20 from generate_series(1, 3000) n;
        insert into conversation_members (conversation_id, place, user_id, pair_with, last_read_number,
          newest_from_others, last_message_at)
        select pg_temp.id(7, n), place, case when place = 2 then ben when n <= 2000 then ana else other end,
          case when place = 1 then ben when n <= 2000 then ana else other end, 10, 20,
          '2026-01-06'::timestamptz + n * interval '1 second'
        from generate_series(1, 3000) n, generate_series(1, 2) place, lateral (
          select (select id from users where username = 'ana') as ana, pg_temp.id(1, 1 + n % 2000) as ben,
            pg_temp.id(1, 1 + (n + 1) % 2000) as other) people;
        insert into messages (id, conversation_id, author_id, number, text, created_at)
        select pg_temp.id(8, n), c, (select user_id from conversation_members where conversation_id = c limit 1),
          10 + n, 'Message ' || n, '2026-01-06'::timestamptz + n * interval '1 second'
        from generate_series(1, 60000) n, lateral (select case when n % 10 = 0
          then '019b7600-0000-7000-8000-000000000601'::uuid else pg_temp.id(7, 1 + n % 3000) end as c) chosen;
        insert into notifications (id, user_id, kind, subject_type, subject_id, actor_id, actors, text, created_at, read_at)
        select pg_temp.id(9, n), case when n % 10 < 2 then (select id from users where username = 'ana')
            else pg_temp.id(1, 1 + n % 2000) end, 'LIKE', 'thought', pg_temp.id(4, n), pg_temp.id(1, 1 + n % 1999),
          array[pg_temp.id(1, 1 + n % 1999)], 'x', '2026-01-06'::timestamptz + n * interval '1 second',
          case when n % 2 = 0 then now() end
        from generate_series(1, 20000) n;
        insert into push_devices (id, user_id, transport, address, topic)
        select pg_temp.id(10, n), pg_temp.id(1, 1 + n % 2000), 'APNS', md5(n::text), 'x' from generate_series(1, 4000) n;
        insert into push_queue (device_id, notification_id, due_at)
        select pg_temp.id(10, n), pg_temp.id(9, n), now() + n * interval '1 second' from generate_series(1, 4000) n;
        insert into blocks (blocker_id, blocked_id)
        select pg_temp.id(1, n), pg_temp.id(1, 1 + n * 7 % 2000) from generate_series(1, 2000) n where n <> 1 + n * 7 % 2000;
        insert into hidden_people (viewer_id, blocked) select blocker_id, array_agg(blocked_id) from blocks group by 1;
        insert into reports (id, reporter_id, subject_type, subject_id, reason, created_at)
        select pg_temp.id(7, n), pg_temp.id(1, 1 + n % 2000), 'thought', pg_temp.id(4, n), 'SPAM',
          '2026-01-05'::timestamptz + n * interval '1 minute' from generate_series(1, 5000) n;
        insert into moderation_log (moderator_id, action, subject_type, subject_id)
        select pg_temp.id(1, 1), 'REMOVED', 'thought', pg_temp.id(4, n) from generate_series(1, 2000) n;
        insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
        select pg_temp.id(1, n), 'likeThought', n::text, 'x', '{}' from generate_series(1, 2000) n;
        insert into revoked_sessions (session_id, expires_at)
        select pg_temp.id(2, n), now() + interval '1 hour' from generate_series(1, 20) n;
        insert into rate_limits (key, tokens) select 'sign-in ' || n, 1 from generate_series(1, 2000) n;
        insert into one_time_tokens (hash, user_id, purpose, email, expires_at)
        select sha256(n::text::bytea), pg_temp.id(1, n), 'CONFIRM_EMAIL', 'x', now() + interval '1 hour'
        from generate_series(1, 2000) n;
        insert into mails (id, kind, recipient, user_id, due_at)
        select pg_temp.id(7, n), 'CONFIRM_EMAIL', 'x', pg_temp.id(1, n), now() + n * interval '1 second'
        from generate_series(1, 2000) n;
        insert into activity_marks
        select '2026-01-05'::timestamptz + n % 24 * interval '1 hour', 'READ', pg_temp.id(1, n)
        from generate_series(1, 2000) n;
        insert into search_entries
        select id, 'THOUGHT', published_at, search_words(title, text) from thoughts where status = 'PUBLISHED'
        union all select id, 'EVENT', created_at, search_words(name, concat_ws(' ', location, description)) from events
        union all select id, 'USER', created_at, search_words(concat_ws(' ', username, display_name), bio) from users
        where username is not null
        on conflict do nothing;
        set session_replication_role = origin;
        analyze;
        """
}

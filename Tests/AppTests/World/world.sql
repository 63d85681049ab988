-- The people and things that the tests talk about. Ids are UUIDv7 of January 2026.
insert into users (id, username, display_name, bio, is_anonymous, role, created_at) values
  ('019b7600-0000-7000-8000-00000000000a', 'ana', 'Ana', 'I write.', false, 'MEMBER', '2026-01-01 00:00:01Z'),
  ('019b7600-0000-7000-8000-00000000000b', 'ben', 'Ben', null, false, 'MEMBER', '2026-01-01 00:00:02Z'),
  ('019b7600-0000-7000-8000-00000000000c', 'mod', 'Mod', null, false, 'MODERATOR', '2026-01-01 00:00:03Z'),
  ('019b7600-0000-7000-8000-00000000000d', null, 'Amber Otter 1', null, true, 'MEMBER', '2026-01-01 00:00:04Z');

-- The password is "correct horse battery", hashed with N=2^10.
insert into credentials (user_id, email, email_verified_at, password_hash) values
  ('019b7600-0000-7000-8000-00000000000a', 'ana@example.org', '2026-01-02Z', 'PASSWORD_HASH'),
  ('019b7600-0000-7000-8000-00000000000b', 'ben@example.org', null, 'PASSWORD_HASH'),
  ('019b7600-0000-7000-8000-00000000000c', 'mod@example.org', null, 'PASSWORD_HASH');

insert into sessions (id, user_id, family, current_hash, created_at, last_used_at, rotated_at, user_agent)
select ('019b7600-0000-7000-8000-0000000001' || right(id::text, 2))::uuid, id, decode(md5(id::text), 'hex'),
  sha256(convert_to(id::text, 'UTF8')), now(), now(), now(), 'tests'
from users;

insert into thoughts (id, author_id, category, title, text, status, created_at, published_at, updated_at) values
  ('019b7600-0000-7000-8000-000000000201', '019b7600-0000-7000-8000-00000000000a', 'FUNNY', 'First', 'Ana''s first.',
    'PUBLISHED', '2026-01-03 10:00:00Z', '2026-01-03 10:00:00Z', '2026-01-03 10:00:00Z'),
  ('019b7600-0000-7000-8000-000000000202', '019b7600-0000-7000-8000-00000000000b', 'SERIOUS', null, 'Ben''s "second".',
    'PUBLISHED', '2026-01-03 11:00:00Z', '2026-01-03 11:00:00Z', '2026-01-03 11:00:00Z'),
  ('019b7600-0000-7000-8000-000000000203', '019b7600-0000-7000-8000-00000000000a', 'CRAZY', null, 'Ana''s third.',
    'PUBLISHED', '2026-01-03 12:00:00Z', '2026-01-03 12:00:00Z', '2026-01-03 12:00:00Z'),
  ('019b7600-0000-7000-8000-000000000204', '019b7600-0000-7000-8000-00000000000a', 'FUNNY', null, 'Ana''s draft.',
    'DRAFT', '2026-01-03 13:00:00Z', null, '2026-01-03 13:00:00Z');

insert into events (id, author_id, name, description, location, starts_at, ends_at, time_zone, created_at, updated_at)
values
  ('019b7600-0000-7000-8000-000000000301', '019b7600-0000-7000-8000-00000000000b', 'Tertulia', 'We talk.', 'Café',
    '2099-05-01 18:00:00Z', '2099-05-01 20:00:00Z', 'Europe/Madrid', '2026-01-03 11:30:00Z', '2026-01-03 11:30:00Z'),
  ('019b7600-0000-7000-8000-000000000302', '019b7600-0000-7000-8000-00000000000a', 'Past', 'It is over.', null,
    '2026-01-04 18:00:00Z', '2026-01-04 20:00:00Z', null, '2026-01-03 09:00:00Z', '2026-01-03 09:00:00Z');

insert into comments (id, author_id, thought_id, event_id, text, created_at) values
  ('019b7600-0000-7000-8000-000000000401', '019b7600-0000-7000-8000-00000000000b',
    '019b7600-0000-7000-8000-000000000201', null, 'Ha!', '2026-01-03 10:01:00Z'),
  ('019b7600-0000-7000-8000-000000000402', '019b7600-0000-7000-8000-00000000000a',
    '019b7600-0000-7000-8000-000000000201', null, 'Thanks.', '2026-01-03 10:02:00Z'),
  ('019b7600-0000-7000-8000-000000000403', '019b7600-0000-7000-8000-00000000000a', null,
    '019b7600-0000-7000-8000-000000000301', 'I come.', '2026-01-03 11:40:00Z');

insert into thought_likes (thought_id, user_id, created_at) values
  ('019b7600-0000-7000-8000-000000000201', '019b7600-0000-7000-8000-00000000000b', '2026-01-03 10:05:00Z'),
  ('019b7600-0000-7000-8000-000000000201', '019b7600-0000-7000-8000-00000000000d', '2026-01-03 10:06:00Z');

insert into event_rsvps (event_id, user_id, status, created_at) values
  ('019b7600-0000-7000-8000-000000000301', '019b7600-0000-7000-8000-00000000000a', 'GOING', '2026-01-03 11:41:00Z'),
  ('019b7600-0000-7000-8000-000000000301', '019b7600-0000-7000-8000-00000000000d', 'INTERESTED',
    '2026-01-03 11:42:00Z');

insert into image_contents (sha256, bytes) values ('\x01', '\x00');
insert into images (id, owner_id, sha256, mime_type, width, height, byte_size, created_at) values
  ('019b7600-0000-7000-8000-000000000501', '019b7600-0000-7000-8000-00000000000a', '\x01', 'image/png', 640, 480, 1,
    '2026-01-02 09:00:00Z'),
  ('019b7600-0000-7000-8000-000000000502', '019b7600-0000-7000-8000-00000000000b', '\x01', 'image/png', 32, 32, 1,
    '2026-01-02 09:00:00Z');

-- Ana with Ben; the two with Mod, which Ben has left; Ana with the anonymous account.
insert into conversations (id, people_key, created_at)
select ('019b7600-0000-7000-8000-00000000060' || n)::uuid,
  people_key(array(select ('019b7600-0000-7000-8000-00000000000' || d)::uuid from unnest(digits) d)),
  '2026-01-03 14:00:00Z'::timestamptz + n * interval '1 minute'
from (values (1, '{a,b}'::text[]), (2, '{a,b,c}'), (3, '{a,d}')) as c (n, digits);
insert into conversation_members (conversation_id, place, user_id, pair_with, joined_at, left_at, absences)
select ('019b7600-0000-7000-8000-00000000060' || n)::uuid, place, ('019b7600-0000-7000-8000-00000000000' || d)::uuid,
  ('019b7600-0000-7000-8000-00000000000' || pair)::uuid, '2026-01-03 14:05:00Z',
  case when away then '2026-01-03 14:06:00Z'::timestamptz end,
  case when away then '{[1,)}' else '{}' end::int8multirange
from (values (1, 1, 'a', 'b', false), (1, 2, 'b', 'a', false), (2, 1, 'a', null, false), (2, 2, 'b', null, true),
  (2, 3, 'c', null, false), (3, 1, 'a', 'd', false), (3, 2, 'd', 'a', false)) as p (n, place, d, pair, away);
insert into messages (id, conversation_id, author_id, text) values
  ('019b7600-0000-7000-8000-000000000701', '019b7600-0000-7000-8000-000000000601',
    '019b7600-0000-7000-8000-00000000000a', 'Hello, Ben.');
insert into messages (id, conversation_id, author_id, text) values
  ('019b7600-0000-7000-8000-000000000702', '019b7600-0000-7000-8000-000000000601',
    '019b7600-0000-7000-8000-00000000000b', 'Hello, Ana.');
insert into messages (id, conversation_id, author_id, text) values
  ('019b7600-0000-7000-8000-000000000703', '019b7600-0000-7000-8000-000000000602',
    '019b7600-0000-7000-8000-00000000000a', 'He is gone.');
insert into messages (id, conversation_id, author_id, text) values
  ('019b7600-0000-7000-8000-000000000704', '019b7600-0000-7000-8000-000000000603',
    '019b7600-0000-7000-8000-00000000000a', 'Who are you?');
update messages set created_at = '2026-01-03 14:00:00Z'::timestamptz + right(id::text, 1)::integer * interval '10 minutes';
update conversation_members p set last_message_at = (
  select max(m.created_at) from messages m where m.conversation_id = p.conversation_id);

-- What the rows above told is replaced by what the tests talk about.
delete from outbox;
update outbox_position set xid = pg_current_xact_id(), id = (select max(id) from change_log);
delete from notifications;
insert into notifications (id, user_id, kind, subject_type, subject_id, actor_id, actors, actor_count, text, created_at,
  read_at)
select ('019b7600-0000-7000-8000-00000000080' || n)::uuid, ('019b7600-0000-7000-8000-00000000000' || u)::uuid, kind, type,
  ('019b7600-0000-7000-8000-000000000' || subject)::uuid, actors[1], actors, cardinality(actors), text, at, read_at
from (values
    (1, 'a', 'LIKE', 'thought', '201', '{d,b}'::text[], 'Amber Otter 1 and one other liked “First”.',
      '2026-01-03 10:06:00Z'::timestamptz, null::timestamptz),
    (2, 'a', 'COMMENT', 'thought', '201', '{b}', 'Ben commented on “First”.', '2026-01-03 10:01:00Z', '2026-01-03 10:02:00Z'),
    (3, 'b', 'RSVP', 'event', '301', '{d,a}', 'Amber Otter 1 and one other responded to “Tertulia”.',
      '2026-01-03 11:42:00Z', null),
    (4, 'c', 'MESSAGE', 'conversation', '602', '{a}', 'Ana wrote to you.', '2026-01-03 14:30:00Z', null),
    (5, 'd', 'MESSAGE', 'conversation', '603', '{a}', 'Ana wrote to you.', '2026-01-03 14:40:00Z', null)
  ) as told (n, u, kind, type, subject, digits, text, at, read_at),
  lateral (select array(select ('019b7600-0000-7000-8000-00000000000' || d)::uuid from unnest(digits) d) as actors) a;

insert into push_devices (id, user_id, transport, address, topic, created_at, session_id) values
  ('019b7600-0000-7000-8000-000000000901', '019b7600-0000-7000-8000-00000000000a', 'APNS', repeat('ab', 32), 'dev.tertulia',
    '2026-01-02 10:00:00Z', '019b7600-0000-7000-8000-00000000010a');

insert into imported_objects (source, kind, old_id, object_id) values
  ('app', 'user', 'Xk3', '019b7600-0000-7000-8000-00000000000a'),
  ('app', 'thought', 'thoughts/one', '019b7600-0000-7000-8000-000000000201'),
  ('app', 'thought', 'thoughts/draft', '019b7600-0000-7000-8000-000000000204'),
  ('other', 'thought', 'thoughts/one', '019b7600-0000-7000-8000-000000000202');

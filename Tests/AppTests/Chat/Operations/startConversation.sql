-- Existing, ana: 1 2 3

-- 1: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', people_key($5)));
with started as materialized (select start_conversation($1, $2) as is_new), recorded as (update idempotency
  set outcome = outcome || jsonb_build_object('created', true)
  from started
  where is_new
  and account_id = viewer_id()
  and mutation = $3
  and client_mutation_id = $4) select is_new
  from started;
select c.id, c.created_at, p.last_message_at
  from conversations c
  join conversation_members p on p.conversation_id = c.id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  where c.people_key = people_key($1);

-- 2: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 3: read
select o.joined_at, o.left_at, o.last_read_message_id, parent.n, u.id, u.username, u.display_name, u.is_anonymous,
    u.bio, u.avatar_id, u.created_at
  from unnest($1) with ordinality as parent (id, n)
  join conversation_members p on p.conversation_id = parent.id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  join conversation_members o on o.conversation_id = parent.id
  and (o.user_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  left join users u on u.id = o.user_id
  order by parent.n, o.place;

-- New, ben: 1 2 4 5 3 6 7

-- 4: read
select p.conversation_id, (select count(*)
  from messages m
  where m.conversation_id = p.conversation_id
  and m.number > p.last_read_number
  and m.author_id is distinct
  from viewer_id()
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true)::integer
  from conversation_members p
  where p.conversation_id = any($1)
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and p.newest_from_others > p.last_read_number;

-- 5: read
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at
  from conversation_members p
  cross join lateral (select *
  from messages m
  where m.conversation_id = p.conversation_id
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  order by m.number desc
  limit 1) m
  where p.conversation_id = any($1)
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true;

-- 6: read
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  join conversation_members p on p.conversation_id = parent.id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  cross join lateral (select *
  from (select *
  from messages m
  where m.conversation_id = parent.id
  and m.number > $2
  and m.number < $3
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  order by m.number desc
  limit 101) m
  order by m.number desc
  limit $4) m
  order by parent.n;

-- 7: read
select c.id, c.created_at, p.last_message_at
  from (select *
  from conversation_members p
  where p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and (p.last_message_at, p.conversation_id) > ($1, $2)
  and (p.last_message_at, p.conversation_id) < ($3, $4)
  order by p.last_message_at desc, p.conversation_id desc
  limit 101) p
  join conversations c on c.id = p.conversation_id
  order by p.last_message_at desc, p.conversation_id desc
  limit $5;

-- Again, ben: 1

-- AgainReplayed, ben: 1 8 9

-- 8: write
select input_hash, created_at < now() - interval '30 days', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- 9: write
select c.id, c.created_at, p.last_message_at
  from conversations c
  join conversation_members p on p.conversation_id = c.id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  where c.people_key = $1;

-- Replayed, ben: 1 8 9

-- JoinAgain, ben: 10 4 3 6

-- 10: write
with started as materialized (select start_conversation($1, $2) as is_new), recorded as (update idempotency
  set outcome = outcome || jsonb_build_object('created', true)
  from started
  where is_new
  and account_id = viewer_id()
  and mutation = $3
  and client_mutation_id = $4) select is_new
  from started;
select c.id, c.created_at, p.last_message_at
  from conversations c
  join conversation_members p on p.conversation_id = c.id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  where c.people_key = people_key($1);

-- TakenId, ana: 10 2

-- NotThere, ana: 10

-- Blocked, ana: 10 10

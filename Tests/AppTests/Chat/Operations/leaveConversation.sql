-- Leave, ana: 1 2 3 4

-- 1: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
select leave_conversation($1) or refuse('NOT_FOUND');

-- 2: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 3: read
select coalesce(sum((select count(*)
  from messages m
  where m.conversation_id = p.conversation_id
  and m.number > p.last_read_number
  and m.author_id is distinct
  from viewer_id()
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true)), 0)::integer
  from conversation_members p
  where p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and p.newest_from_others > p.last_read_number;

-- 4: read
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

-- Twice, ana: 5

-- 5: write
select leave_conversation($1) or refuse('NOT_FOUND');

-- Write, ana: 6

-- 6: write
insert into messages (id, conversation_id, author_id, text, image_id) select $1, $2, viewer_id(), $3, $4
  where case
  when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when not exists (select
  from conversation_members p
  where p.conversation_id = $5
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true) then refuse('NOT_FOUND')
  when $6::uuid is not null
  and not exists (select
  from images i
  where i.id = $7
  and i.owner_id = viewer_id()) then refuse('NOT_FOUND')
  else true end;
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at
  from (select) as one
  left join messages m on m.id = $1
  and m.author_id = viewer_id()
  where m.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- OtherWrites, ben: 6 7 8

-- 7: read
select c.id, c.created_at, p.last_message_at
  from conversation_members p
  join conversations c on c.id = p.conversation_id
  where p.conversation_id = any($1)
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true;

-- 8: read
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

-- Back, ana: 9 10 11

-- 9: write
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

-- 10: read
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

-- 11: read
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

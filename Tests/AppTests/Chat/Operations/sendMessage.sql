-- Send, ana: 1 2 3 4 5

-- 1: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5) || jsonb_build_object('created', true));
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

-- 2: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- 3: read
select c.id, c.created_at, p.last_message_at
  from conversation_members p
  join conversations c on c.id = p.conversation_id
  where p.conversation_id = any($1)
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true;

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

-- Replayed, ana: 1 6 7

-- 6: write
select input_hash, created_at < now() - interval '30 days', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- 7: write
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at
  from messages m
  join conversation_members p on p.conversation_id = m.conversation_id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  where m.id = any($1)
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true;

-- Unread, ben: 8 9 10 4

-- 8: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 9: read
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

-- 10: read
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

-- WithImage, ana: 11 12 11

-- 11: write
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

-- 12: read
select i.id, i.mime_type, i.width, i.height, i.byte_size
  from images i
  where i.id = any($1);

-- Again, ana: 11 13

-- 13: write
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at
  from (select) as one
  left join messages m on m.id = $1
  and m.author_id = viewer_id()
  where m.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- AnothersId, ben: 11 13

-- NotThere, ben: 11 11

-- Blocked, ana: 11

-- Create, ana: 1

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

-- Keep, ana: 2 3

-- 2: write
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

-- 3: write
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at
  from (select) as one
  left join messages m on m.id = $1
  and m.author_id = viewer_id()
  where m.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- Overwrite, ana: 1 4

-- 4: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
update messages m
  set text = $1, edited_at = date_trunc('milliseconds', now())
  from conversation_members p
  where m.id = $2
  and m.author_id = viewer_id()
  and p.conversation_id = m.conversation_id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  and refuse_user_errors(array[ case
  when m.conversation_id <> $3 then 'CONFLICT conversationId' end, case
  when m.image_id is distinct
  from $4 then 'CONFLICT imageId' end]);
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at
  from (select) as one
  left join messages m on m.id = $1
  and m.author_id = viewer_id()
  where m.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- Replayed, ana: 1 5 6 1 5 6

-- 5: write
select input_hash, created_at < now() - interval '30 days', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- 6: write
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at
  from messages m
  join conversation_members p on p.conversation_id = m.conversation_id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  where m.id = any($1)
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true;

-- WhatStays, ana: 2 7 2 7

-- 7: write
update messages m
  set text = $1, edited_at = date_trunc('milliseconds', now())
  from conversation_members p
  where m.id = $2
  and m.author_id = viewer_id()
  and p.conversation_id = m.conversation_id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  and refuse_user_errors(array[ case
  when m.conversation_id <> $3 then 'CONFLICT conversationId' end, case
  when m.image_id is distinct
  from $4 then 'CONFLICT imageId' end]);
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at
  from (select) as one
  left join messages m on m.id = $1
  and m.author_id = viewer_id()
  where m.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- Anothers, ben: 2 7

-- BesideAnImage, ana: 2 8 2 7 8

-- 8: read
select i.id, i.mime_type, i.width, i.height, i.byte_size
  from images i
  where i.id = any($1);

-- Unread, ben: 9 10

-- 9: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 10: read
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

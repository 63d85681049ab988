-- Update, ana: 1

-- 1: write
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
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true;
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at
  from (select) as one
  left join (messages m
  join conversation_members p on p.conversation_id = m.conversation_id) on m.id = $1
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  where case
  when m.id is null then refuse('NOT_FOUND')
  when m.author_id is distinct
  from viewer_id() then refuse('FORBIDDEN')
  else true end;

-- Replayed, ana: 1 2 3

-- 2: write
select input_hash, created_at < now() - interval '30 days', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- 3: write
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at
  from messages m
  join conversation_members p on p.conversation_id = m.conversation_id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  where m.id = any($1)
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true;

-- Wrong, ana: 4 5

-- 4: write
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
  and case
  when m.author_id <> viewer_id() or m.image_id is not null then true
  else refuse('USER_ERRORS', 'REQUIRED text') end;
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at
  from (select) as one
  left join (messages m
  join conversation_members p on p.conversation_id = m.conversation_id) on m.id = $1
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  where case
  when m.id is null then refuse('NOT_FOUND')
  when m.author_id is distinct
  from viewer_id() then refuse('FORBIDDEN')
  else true end;

-- 5: write
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
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true;
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at
  from (select) as one
  left join (messages m
  join conversation_members p on p.conversation_id = m.conversation_id) on m.id = $1
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  where case
  when m.id is null then refuse('NOT_FOUND')
  when m.author_id is distinct
  from viewer_id() then refuse('FORBIDDEN')
  else true end;

-- OfAnImage, ben: 4

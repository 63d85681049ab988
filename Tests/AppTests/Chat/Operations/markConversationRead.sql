-- Read, ana: 1 2 3 4 5

-- 1: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
update conversation_members p
  set last_read_number = m.number, last_read_message_id = m.id
  from messages m
  where m.id = $1
  and m.conversation_id = $2
  and p.conversation_id = $3
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  and p.last_read_number < m.number;
select c.id, c.created_at, p.last_message_at
  from (select) as one
  left join (conversation_members p
  join conversations c on c.id = p.conversation_id
  join messages m on m.conversation_id = c.id) on c.id = $1
  and m.id = $2
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  where c.id is not null or refuse('NOT_FOUND');

-- 2: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 3: read
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

-- 4: read
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

-- 5: read
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

-- Replayed, ana: 1 6 7 3

-- 6: write
select input_hash, created_at < now() - interval '30 days', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- 7: write
select c.id, c.created_at, p.last_message_at
  from conversation_members p
  join conversations c on c.id = p.conversation_id
  where p.conversation_id = any($1)
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true;

-- NeverBackwards, ana: 8 4

-- 8: write
update conversation_members p
  set last_read_number = m.number, last_read_message_id = m.id
  from messages m
  where m.id = $1
  and m.conversation_id = $2
  and p.conversation_id = $3
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  and p.last_read_number < m.number;
select c.id, c.created_at, p.last_message_at
  from (select) as one
  left join (conversation_members p
  join conversations c on c.id = p.conversation_id
  join messages m on m.conversation_id = c.id) on c.id = $1
  and m.id = $2
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  where c.id is not null or refuse('NOT_FOUND');

-- NotThere, ana: 8 8

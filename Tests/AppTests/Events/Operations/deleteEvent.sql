-- Delete, ben: 1

-- 1: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
with target as (select e.id, e.author_id
  from events e
  where e.id = $1
  and (e.author_id <> all(hidden_ids()))), deleted as ( delete
  from events e
  where e.id = $2
  and (e.author_id <> all(hidden_ids()))
  and (e.author_id = viewer_id() or viewer_is_moderator())
  returning e.id) select true
  where case
  when exists (select
  from deleted) then true
  when (select author_id <> viewer_id()
  from target)
  and not viewer_is_moderator() then refuse('FORBIDDEN')
  else refuse('NOT_FOUND') end;

-- Replay, ben: 1 2

-- 2: write
select input_hash, created_at < now() - interval '30 days', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- Twice, ben: 3

-- 3: write
with target as (select e.id, e.author_id
  from events e
  where e.id = $1
  and (e.author_id <> all(hidden_ids()))), deleted as ( delete
  from events e
  where e.id = $2
  and (e.author_id <> all(hidden_ids()))
  and (e.author_id = viewer_id() or viewer_is_moderator())
  returning e.id) select true
  where case
  when exists (select
  from deleted) then true
  when (select author_id <> viewer_id()
  from target)
  and not viewer_is_moderator() then refuse('FORBIDDEN')
  else refuse('NOT_FOUND') end;

-- Gone, nobody: 4 5

-- 4: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from events e
  where e.id = any($1);

-- 5: read
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at
  from comments c
  where c.id = any($1);

-- Moderator, mod: 3

-- Wrong, ana: 3

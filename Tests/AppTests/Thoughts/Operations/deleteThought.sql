-- Delete, ana: 1

-- 1: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
with target as (select t.id, t.author_id
  from thoughts t
  where t.id = $1
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())), deleted as ( delete
  from thoughts t
  where t.id = $2
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  and (t.author_id = viewer_id() or viewer_is_moderator())
  returning t.id) select true
  where case
  when exists (select
  from deleted) then true
  when (select author_id <> viewer_id()
  from target)
  and not viewer_is_moderator() then refuse('FORBIDDEN')
  else refuse('NOT_FOUND') end;

-- Replay, ana: 1 2

-- 2: write
select input_hash, created_at < now() - interval '30 days', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- Twice, ana: 3

-- 3: write
with target as (select t.id, t.author_id
  from thoughts t
  where t.id = $1
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())), deleted as ( delete
  from thoughts t
  where t.id = $2
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  and (t.author_id = viewer_id() or viewer_is_moderator())
  returning t.id) select true
  where case
  when exists (select
  from deleted) then true
  when (select author_id <> viewer_id()
  from target)
  and not viewer_is_moderator() then refuse('FORBIDDEN')
  else refuse('NOT_FOUND') end;

-- Gone, nobody: 4 5

-- 4: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = $1;

-- 5: read
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at
  from comments c
  where c.id = any($1);

-- Drafts, mod: 3

-- Moderator, mod: 3

-- Wrong, ana: 3

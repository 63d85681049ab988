-- Delete, ben: 1 2

-- 1: write
with target as (select c.id, c.author_id
  from comments c
  where c.id = $1
  and (c.author_id <> all(hidden_ids())
  and (c.thought_id is null or exists (select
  from thoughts t
  where t.id = c.thought_id
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())))
  and (c.event_id is null or exists (select
  from events e
  where e.id = c.event_id
  and (e.author_id <> all(hidden_ids())))))), deleted as ( delete
  from comments c
  where c.id = $2
  and (c.author_id <> all(hidden_ids())
  and (c.thought_id is null or exists (select
  from thoughts t
  where t.id = c.thought_id
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())))
  and (c.event_id is null or exists (select
  from events e
  where e.id = c.event_id
  and (e.author_id <> all(hidden_ids())))))
  and (c.author_id = viewer_id() or viewer_is_moderator())
  and lock_subject(c.thought_id, c.event_id)
  returning c.thought_id, c.event_id) select (select thought_id
  from deleted), (select event_id
  from deleted)
  where case
  when exists (select
  from deleted) then true
  when (select author_id <> viewer_id()
  from target)
  and not viewer_is_moderator() then refuse('FORBIDDEN')
  else refuse('NOT_FOUND') end;

-- 2: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = any($1);

-- Twice, ben: 1

-- Moderator, mod: 1 3

-- 3: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from events e
  where e.id = any($1);

-- Wrong, ben: 1

-- WithAClientMutationId, ana: 4 2

-- 4: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5, 'subject', (select coalesce(thought_id, event_id)
  from comments
  where id = $6)));
with target as (select c.id, c.author_id
  from comments c
  where c.id = $1
  and (c.author_id <> all(hidden_ids())
  and (c.thought_id is null or exists (select
  from thoughts t
  where t.id = c.thought_id
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())))
  and (c.event_id is null or exists (select
  from events e
  where e.id = c.event_id
  and (e.author_id <> all(hidden_ids())))))), deleted as ( delete
  from comments c
  where c.id = $2
  and (c.author_id <> all(hidden_ids())
  and (c.thought_id is null or exists (select
  from thoughts t
  where t.id = c.thought_id
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())))
  and (c.event_id is null or exists (select
  from events e
  where e.id = c.event_id
  and (e.author_id <> all(hidden_ids())))))
  and (c.author_id = viewer_id() or viewer_is_moderator())
  and lock_subject(c.thought_id, c.event_id)
  returning c.thought_id, c.event_id) select (select thought_id
  from deleted), (select event_id
  from deleted)
  where case
  when exists (select
  from deleted) then true
  when (select author_id <> viewer_id()
  from target)
  and not viewer_is_moderator() then refuse('FORBIDDEN')
  else refuse('NOT_FOUND') end;

-- Replay, ana: 4 5 6 2

-- 5: write
select input_hash, created_at < now() - interval '30 days', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- 6: write
select (select id
  from thoughts
  where id = $1), (select id
  from events
  where id = $2);

-- Gone, nobody: 7 8 9

-- 7: read
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at
  from comments c
  where c.id = any($1);

-- 8: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = $1;

-- 9: read
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select *
  from comments c
  where c.thought_id = parent.id
  and (c.created_at, c.id) > ($2, $3)
  and (c.created_at, c.id) < ($4, $5)
  order by c.created_at asc, c.id asc
  limit 101) c
  order by c.created_at asc, c.id asc
  limit $6) c
  order by parent.n;

-- Create, ben: 1 2

-- 1: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5) || jsonb_build_object('created', true));
with c as (insert into comments (id, author_id, thought_id, text) select $1, viewer_id(), $2, $3
  where case
  when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when not exists (select
  from thoughts t
  where t.id = $4
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())) then refuse('NOT_FOUND')
  else true end) select $5, u.id, $6, null::uuid, $7, date_trunc('milliseconds', now()), null::timestamptz, u.id,
    u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = viewer_id();

-- 2: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = any($1);

-- Keep, ben: 3 4 2

-- 3: write
with c as (insert into comments (id, author_id, thought_id, text) select $1, viewer_id(), $2, $3
  where case
  when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when not exists (select
  from thoughts t
  where t.id = $4
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())) then refuse('NOT_FOUND')
  else true end) select $5, u.id, $6, null::uuid, $7, date_trunc('milliseconds', now()), null::timestamptz, u.id,
    u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = viewer_id();

-- 4: write
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at, u.id, u.username, u.display_name,
    u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from (select) as one
  left join (comments c
  join users u on u.id = c.author_id) on c.id = $1
  and c.author_id = viewer_id()
  where c.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- Overwrite, ben: 1 5 2

-- 5: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
update comments c
  set text = $1, edited_at = date_trunc('milliseconds', now())
  where c.id = $2
  and c.author_id = viewer_id()
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
  and case
  when c.thought_id = $3 then true
  else refuse('USER_ERRORS', 'CONFLICT subjectId') end;
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at, u.id, u.username, u.display_name,
    u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from (select) as one
  left join (comments c
  join users u on u.id = c.author_id) on c.id = $1
  and c.author_id = viewer_id()
  where c.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- Replayed, ben: 1 6 7 1 6 7

-- 6: write
select input_hash, created_at < now() - interval '30 days', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- 7: write
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at, u.id, u.username, u.display_name,
    u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from comments c
  join users u on u.id = c.author_id
  where c.id = $1;

-- Elsewhere, ben: 3 8 9 10

-- 8: write
update comments c
  set text = $1, edited_at = date_trunc('milliseconds', now())
  where c.id = $2
  and c.author_id = viewer_id()
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
  and case
  when c.thought_id = $3 then true
  else refuse('USER_ERRORS', 'CONFLICT subjectId') end;
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at, u.id, u.username, u.display_name,
    u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from (select) as one
  left join (comments c
  join users u on u.id = c.author_id) on c.id = $1
  and c.author_id = viewer_id()
  where c.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- 9: write
with c as (insert into comments (id, author_id, event_id, text) select $1, viewer_id(), $2, $3
  where case
  when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when not exists (select
  from events e
  where e.id = $4
  and (e.author_id <> all(hidden_ids()))) then refuse('NOT_FOUND')
  else true end) select $5, u.id, null::uuid, $6, $7, date_trunc('milliseconds', now()), null::timestamptz, u.id,
    u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = viewer_id();

-- 10: write
update comments c
  set text = $1, edited_at = date_trunc('milliseconds', now())
  where c.id = $2
  and c.author_id = viewer_id()
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
  and case
  when c.event_id = $3 then true
  else refuse('USER_ERRORS', 'CONFLICT subjectId') end;
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at, u.id, u.username, u.display_name,
    u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from (select) as one
  left join (comments c
  join users u on u.id = c.author_id) on c.id = $1
  and c.author_id = viewer_id()
  where c.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- Anothers, mod: 3 8

-- OnAnEvent, ben: 9 9 10 11

-- 11: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from events e
  where e.id = any($1);

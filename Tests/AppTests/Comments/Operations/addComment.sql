-- OnAThought, ana: 1 2 2 3 4

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

-- 3: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- 4: read
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

-- OnAnEvent, ben: 5 6

-- 5: write
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

-- 6: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from events e
  where e.id = any($1);

-- OnOnesDraft, ana: 7 2

-- 7: write
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

-- NotThere, ben: 7 7 5

-- Thousand, ben: 7 2

-- WithAnId, ben: 7 2

-- Again, ben: 7 8 2

-- 8: write
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at, u.id, u.username, u.display_name,
    u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from (select) as one
  left join (comments c
  join users u on u.id = c.author_id) on c.id = $1
  and c.author_id = viewer_id()
  where c.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- AnothersId, ana: 7 8

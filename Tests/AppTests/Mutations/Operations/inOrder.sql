-- OneAfterAnother, ben: 1 2 2 3 4 5 6 7

-- 1: write
insert into thoughts (id, author_id, category, title, text, image_id, status, published_at) select $1, viewer_id(), $2,
    $3, $4, $5, $6, case
  when $7 then date_trunc('milliseconds', now()) end
  where case
  when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when not ($8::uuid is null or exists (select
  from images i
  where i.id = $9
  and i.owner_id = viewer_id()))
  and not exists (select
  from thoughts
  where id = $10) then refuse('NOT_FOUND')
  else true end;
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and t.author_id = viewer_id()
  where t.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- 2: write
insert into thought_likes (thought_id, user_id) select $1, viewer_id()
  where exists (select
  from thoughts t
  where t.id = $2
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())) or refuse('NOT_FOUND')
  on conflict do nothing;
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  where t.id is not null or refuse('NOT_FOUND');

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

-- 4: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = any($1);

-- 5: write
update thoughts t
  set category = coalesce($1, t.category), text = coalesce($2, t.text), title = case
  when $3 then $4
  else t.title end, image_id = case
  when $5 then $6
  else t.image_id end, updated_at = date_trunc('milliseconds', now())
  where t.id = $7
  and t.author_id = viewer_id()
  and ($8::uuid is null or exists (select
  from images i
  where i.id = $9
  and i.owner_id = viewer_id()) or refuse('NOT_FOUND'));
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  where case
  when t.id is null then refuse('NOT_FOUND')
  when t.author_id <> viewer_id() then refuse('FORBIDDEN')
  else true end;

-- 6: read
select thought_id
  from thought_likes
  where user_id = $1
  and thought_id = any($2);

-- 7: read
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

-- Uploads, ben: 1 5 8 9

-- 8: write
insert into events (id, author_id, name, description, location, image_id, starts_at, ends_at, time_zone) select $1,
    viewer_id(), $2, $3, $4, $5, $6, $7, $8
  where case
  when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when not ($9::uuid is null or exists (select
  from images i
  where i.id = $10
  and i.owner_id = viewer_id()))
  and not exists (select
  from events
  where id = $11) then refuse('NOT_FOUND')
  else refuse_user_errors(array[case
  when not time_zone_exists($12) then 'INVALID timeZone' end]) end;
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select) as one
  left join events e on e.id = $1
  and e.author_id = viewer_id()
  where e.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- 9: write
update events e
  set name = coalesce($1, e.name), description = coalesce($2, e.description), starts_at = coalesce($3, e.starts_at),
    ends_at = coalesce($4, e.ends_at), location = case
  when $5 then $6
  else e.location end, time_zone = case
  when $7 then $8
  else e.time_zone end, image_id = case
  when $9 then $10
  else e.image_id end, updated_at = date_trunc('milliseconds', now())
  where e.id = $11
  and e.author_id = viewer_id()
  and case
  when $12::uuid is not null
  and not exists (select
  from images i
  where i.id = $13
  and i.owner_id = viewer_id()) then refuse('NOT_FOUND')
  else refuse_user_errors(array[case
  when $14
  and coalesce($15, e.ends_at) <= coalesce($16, e.starts_at) then 'ENDS_BEFORE_START endsAt' end, case
  when not time_zone_exists($17) then 'INVALID timeZone' end]) end;
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select) as one
  left join events e on e.id = $1
  and (e.author_id <> all(hidden_ids()))
  where case
  when e.id is null then refuse('NOT_FOUND')
  when e.author_id <> viewer_id() then refuse('FORBIDDEN')
  else true end;

-- SignInThenWrite, nobody: 10 11 12 13 2 6 14

-- 10: worker
select begin_sign_in($1, $2);

-- 11: worker
select k.user_id, k.password_hash, k.device_generation
  from credentials k
  where k.user_id in (select user_id
  from credentials
  where email = $1 union all select id
  from users
  where username = $2);

-- 12: worker
insert into sessions (id, user_id, user_agent, ip_address, family, current_hash) select $1, $2, $3, $4::text::inet, $5,
    $6
  from (select
  from credentials
  where user_id = $7
  and password_hash = $8 for share) as account;
delete
  from sign_in_attempts
  where login_hash = $1;

-- 13: write
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 14: worker
update sessions
  set revoked_at = now()
  where id = $1
  and revoked_at is null;
insert into revoked_sessions (session_id, expires_at)
  values ($1, now() + make_interval(secs => $2))
  on conflict do nothing;

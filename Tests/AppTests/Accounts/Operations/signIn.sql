-- ByEmail, nobody: 1 2 3 4 5 6 7 8

-- 1: worker
select begin_sign_in($1, $2);

-- 2: worker
select k.user_id, k.password_hash, k.device_generation
  from credentials k
  where k.user_id in (select user_id
  from credentials
  where email = $1 union all select id
  from users
  where username = $2);

-- 3: worker
insert into sessions (id, user_id, user_agent, ip_address, family, current_hash) select $1, $2, $3, $4::text::inet, $5,
    $6
  from (select
  from credentials
  where user_id = $7
  and password_hash = $8 for share) as account;
delete
  from sign_in_attempts
  where login_hash = $1;

-- 4: write
select s.id, s.created_at, s.last_used_at, s.user_agent, host(s.ip_address)
  from sessions s
  where s.user_id = viewer_id()
  and s.revoked_at is null
  and s.rotated_at > now() - interval '30 days'
  and s.created_at > now() - interval '180 days'
  and s.id = any($1)
  order by s.last_used_at desc, s.id desc;

-- 5: write
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 6: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select *
  from thoughts t
  where t.author_id = $1
  and (t.created_at, t.id) > ($2, $3)
  and (t.created_at, t.id) < ($4, $5)
  order by t.created_at desc, t.id desc
  limit 101) t
  order by t.created_at desc, t.id desc
  limit $6;

-- 7: read
select s.id, s.created_at, s.last_used_at, s.user_agent, host(s.ip_address)
  from sessions s
  where s.user_id = viewer_id()
  and s.revoked_at is null
  and s.rotated_at > now() - interval '30 days'
  and s.created_at > now() - interval '180 days'
  order by s.last_used_at desc, s.id desc;

-- 8: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select *
  from thoughts t
  where t.status = 'PUBLISHED'
  and t.author_id = parent.id
  and (t.published_at, t.id) > ($2, $3)
  and (t.published_at, t.id) < ($4, $5)
  order by t.published_at desc, t.id desc
  limit 101) t
  order by t.published_at desc, t.id desc
  limit $6) t
  order by parent.n;

-- Viewer, bearer: 9 7

-- 9: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- ByUsername, nobody: 1 2 3 5

-- Wrong, nobody: 1 2 1 2 1 1 2

-- NoSpacesTrimmedFromPasswords, nobody: 1 2

-- MergeAnonymous, zoe: 1 2 10 5 11 12 13

-- 10: worker
insert into sessions (id, user_id, user_agent, ip_address, family, current_hash) select $1, $2, $3, $4::text::inet, $5,
    $6
  from (select
  from credentials
  where user_id = $7
  and password_hash = $8 for share) as account;
delete
  from sign_in_attempts
  where login_hash = $1;
select
  from users
  where id = $1
  and is_anonymous for update;
with merged as (select u.id
  from users u
  where u.id = $1
  and u.is_anonymous
  and u.id <> $2
  and exists (select
  from sessions
  where id = $3)
  and not (not exists (select
  from users
  where id = $4) or exists (select
  from deleted_accounts
  where user_id = $5) or exists (select
  from account_merges
  where source_id = $6
  and (select is_anonymous
  from users
  where id = source_id)))), taken as (update push_devices d
  set user_id = $7, session_id = $8
  from merged
  where d.user_id = merged.id), ended as (update sessions s
  set revoked_at = now()
  where s.revoked_at is null
  and s.user_id = (select id
  from merged)
  returning s.id), refused as (insert into revoked_sessions (session_id, expires_at) select id,
    now() + make_interval(secs => $9)
  from ended
  on conflict do nothing) select coalesce((select array_agg(id)
  from ended), '{}');
select begin_merge($1, $2, $3)
  where exists (select
  from sessions
  where id = $4)
  and not (not exists (select
  from users
  where id = $5) or exists (select
  from deleted_accounts
  where user_id = $6) or exists (select
  from account_merges
  where source_id = $7
  and (select is_anonymous
  from users
  where id = source_id)));

-- 11: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end, t.marked_at
  from (select t.*, m.created_at as marked_at
  from thought_likes m
  join thoughts t on t.id = m.thought_id
  where m.user_id = viewer_id()
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  and (m.created_at, m.thought_id) > ($1, $2)
  and (m.created_at, m.thought_id) < ($3, $4)
  order by m.created_at desc, m.thought_id desc
  limit 101) t
  order by t.marked_at desc, t.id desc
  limit $5;

-- 12: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end, e.marked_at
  from (select e.*, r.created_at as marked_at
  from event_rsvps r
  join events e on e.id = r.event_id
  where r.user_id = viewer_id()
  and (r.created_at, r.event_id) > ($1, $2)
  and (r.created_at, r.event_id) < ($3, $4)
  order by r.created_at desc, r.event_id desc
  limit 101) e
  order by e.marked_at desc, e.id desc
  limit $5;

-- 13: read
select event_id, status
  from event_rsvps
  where user_id = $1
  and event_id = any($2);

-- TheAnonymousAccountIsGone, zoe: 9

-- NothingToMerge, ben: 1 2 10 5

-- StillThere, ben: 9

-- BackOff, nobody: 1

-- AfterBackOff, nobody: 1 2 3 5

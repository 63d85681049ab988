-- SignInAnonymously, nobody: 1 2 3 4

-- 1: worker
insert into users (id, display_name, is_anonymous)
  values ($1, $2, true);
insert into sessions (id, user_id, user_agent, ip_address, family, current_hash) select $1, $2, $3, $4::text::inet, $5,
    $6;

-- 2: write
select s.id, s.created_at, s.last_used_at, s.user_agent, host(s.ip_address)
  from sessions s
  where s.user_id = viewer_id()
  and s.revoked_at is null
  and s.rotated_at > now() - interval '30 days'
  and s.created_at > now() - interval '180 days'
  and s.id = any($1)
  order by s.last_used_at desc, s.id desc;

-- 3: write
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 4: read
select s.id, s.created_at, s.last_used_at, s.user_agent, host(s.ip_address)
  from sessions s
  where s.user_id = viewer_id()
  and s.revoked_at is null
  and s.rotated_at > now() - interval '30 days'
  and s.created_at > now() - interval '180 days'
  order by s.last_used_at desc, s.id desc;

-- Like, bearer: 5 6

-- 5: write
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

-- 6: read
select thought_id
  from thought_likes
  where user_id = $1
  and thought_id = any($2);

-- Rsvp, bearer: 7 8

-- 7: write
insert into event_rsvps as r (event_id, user_id, status) select $1, viewer_id(), $2
  where coalesce((select refuse_user_errors(array[ case
  when e.ends_at <= now() then 'IN_THE_PAST eventId' end, case
  when e.cancelled_at is not null then 'NOT_ALLOWED eventId' end])
  from events e
  where e.id = $3
  and (e.author_id <> all(hidden_ids()))), refuse('NOT_FOUND'))
  and case
  when lock_viewer() then lock_event($4) end
  on conflict (event_id, user_id) do update
  set status = excluded.status
  where r.status <> excluded.status;
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select) as one
  left join events e on e.id = $1
  and (e.author_id <> all(hidden_ids()))
  where e.id is not null or refuse('NOT_FOUND');

-- 8: read
select event_id, status
  from event_rsvps
  where user_id = $1
  and event_id = any($2);

-- CreateThought, bearer: 9

-- 9: write
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

-- SignUpKeepsAll, bearer: 10 11 12 2 3 4

-- 10: worker
select username_is_taken($1, null), imitates_somebody($2, $3, null), exists (select
  from credentials
  where email = any($4));

-- 11: worker
select is_anonymous
  from users
  where id = $1
  and not (not exists (select
  from users
  where id = $2) or exists (select
  from deleted_accounts
  where user_id = $3) or exists (select
  from account_merges
  where source_id = $4
  and (select is_anonymous
  from users
  where id = source_id)));

-- 12: worker
update users
  set is_anonymous = false, username = $1, display_name = coalesce($2, $3, display_name), name_skeleton = coalesce($4,
    name_skeleton)
  where id = $5;
select true
  where case
  when (not exists (select
  from users
  where id = $1) or exists (select
  from deleted_accounts
  where user_id = $2) or exists (select
  from account_merges
  where source_id = $3
  and (select is_anonymous
  from users
  where id = source_id))) then refuse('UNAUTHENTICATED')
  else true end;
insert into credentials (user_id, email, password_hash)
  values ($1, $2, $3);
update sessions
  set family = $1, current_hash = $2, parent_hash = null, rotated_at = now(), last_used_at = now()
  where id = $3
  and user_id = $4;
insert into mails (id, kind, recipient, user_id)
  values ($1, $2, $3, $4);

-- StillHers, bearer: 13 14 15 6 16 8 17

-- 13: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 14: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = $1;

-- 15: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from events e
  where e.id = any($1);

-- 16: read
select page.user_id, page.username, page.display_name, page.is_anonymous, page.bio, page.avatar_id, page.joined_at,
    page.created_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select l.user_id, l.created_at, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id,
    u.created_at as joined_at
  from thought_likes l
  join users u on u.id = l.user_id
  where l.thought_id = parent.id
  and not u.is_anonymous
  and (l.created_at, l.user_id) > ($2, $3)
  and (l.created_at, l.user_id) < ($4, $5)
  order by l.created_at desc, l.user_id desc
  limit 101) page
  order by page.created_at desc, page.user_id desc
  limit $6) page
  order by parent.n;

-- 17: read
select page.user_id, page.username, page.display_name, page.is_anonymous, page.bio, page.avatar_id, page.joined_at,
    page.status, page.created_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select r.user_id, r.status, r.created_at, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id,
    u.created_at as joined_at
  from event_rsvps r
  join users u on u.id = r.user_id
  where r.event_id = parent.id
  and not u.is_anonymous
  and (r.created_at, r.user_id) > ($2, $3)
  and (r.created_at, r.user_id) < ($4, $5)
  order by r.created_at desc, r.user_id desc
  limit 101) page
  order by page.created_at desc, page.user_id desc
  limit $6) page
  order by parent.n;

-- OldTokensEnd, nobody: 18 19 20

-- 18: worker
begin;

-- 19: worker
select s.id, s.user_id, u.is_anonymous, s.parent_hash, s.current_hash, s.created_at, s.rotated_at, s.revoked_at,
    k.device_generation
  from sessions s
  join users u on u.id = s.user_id
  left join credentials k on k.user_id = s.user_id
  where s.family = $1 for update of s;

-- 20: worker
commit;

-- Create, bearer: 9 21

-- 21: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- WithoutInput, nobody: 1 3

-- SignUpTaken, zoe: 10

-- StillAnonymous, zoe: 13

-- Before, ana: 1 2 3 4

-- 1: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.username = $1;

-- 2: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 3: read
select blocked_id
  from blocks
  where blocker_id = viewer_id()
  and blocked_id = any($1);

-- 4: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, p.blocked_at
  from people_blocked_by_viewer($1, $2, $3) p
  cross join lateral (select (p.person).*) u;

-- Block, ana: 5 3 6 7

-- 5: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
insert into blocks (blocker_id, blocked_id) select viewer_id(), $1
  where case
  when $2 = viewer_id() then refuse('USER_ERRORS', 'NOT_ALLOWED userId')
  else exists (select
  from person_to_block($3)) or refuse('NOT_FOUND') end
  on conflict do nothing;
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from person_to_block($1) u;

-- 6: read
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

-- 7: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select *
  from events e
  where e.author_id = parent.id
  and (e.starts_at, e.id) > ($2, $3)
  and (e.starts_at, e.id) < ($4, $5)
  order by e.starts_at asc, e.id asc
  limit 101) e
  order by e.starts_at asc, e.id asc
  limit $6) e
  order by parent.n;

-- Twice, ana: 8 3

-- 8: write
insert into blocks (blocker_id, blocked_id) select viewer_id(), $1
  where case
  when $2 = viewer_id() then refuse('USER_ERRORS', 'NOT_ALLOWED userId')
  else exists (select
  from person_to_block($3)) or refuse('NOT_FOUND') end
  on conflict do nothing;
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from person_to_block($1) u;

-- Replay, ana: 5 9 10 3

-- 9: write
select input_hash, created_at < now() - interval '30 days', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- 10: write
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from person_to_block($1) u;

-- NotThere, ana: 8 8 11

-- 11: write
with unblocked as (delete
  from blocks
  where blocker_id = viewer_id()
  and blocked_id = $1) select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from (select) as one
  left join person_to_block($2) u on true
  where u.id is not null or refuse('NOT_FOUND');

-- EitherWayNothingIsShown, ana: 12 13 12 14 1 15 16 16 17 18 15 19 18 17 20 21 22 23

-- 12: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select *
  from thoughts t
  where t.status = 'PUBLISHED'
  and (t.published_at, t.id) > ($1, $2)
  and (t.published_at, t.id) < ($3, $4)
  order by t.published_at desc, t.id desc
  limit 101) t
  order by t.published_at desc, t.id desc
  limit $5;

-- 13: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select *
  from events e
  where (e.created_at, e.id) > ($1, $2)
  and (e.created_at, e.id) < ($3, $4)
  order by e.created_at desc, e.id desc
  limit 101) e
  order by e.created_at desc, e.id desc
  limit $5;

-- 14: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select *
  from events e
  where (e.starts_at, e.id) > ($1, $2)
  and (e.starts_at, e.id) < ($3, $4)
  order by e.starts_at asc, e.id asc
  limit 101) e
  order by e.starts_at asc, e.id asc
  limit $5;

-- 15: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- 16: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = $1;

-- 17: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from events e
  where e.id = any($1);

-- 18: read
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at
  from comments c
  where c.id = any($1);

-- 19: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = any($1);

-- 20: read
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at, u.id, u.username, u.display_name,
    u.is_anonymous, u.bio, u.avatar_id, u.created_at, parent.n
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
  join users u on u.id = c.author_id
  order by parent.n;

-- 21: read
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

-- 22: read
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

-- 23: read
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select *
  from comments c
  where c.event_id = parent.id
  and (c.created_at, c.id) > ($2, $3)
  and (c.created_at, c.id) < ($4, $5)
  order by c.created_at asc, c.id asc
  limit 101) c
  order by c.created_at asc, c.id asc
  limit $6) c
  order by parent.n;

-- Lists, ana: 2 24 25 4 3

-- 24: read
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

-- 25: read
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

-- WhoIsBlockedFindsNothing, ben: 26 27 8 11

-- 26: write
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

-- 27: write
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

-- NewestFirst, ana: 2 4

-- NextPage, ana: 2 4

-- AModeratorIsNotHiddenFrom, mod: 1 3

-- Unblock, ana: 28 3

-- 28: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
with unblocked as (delete
  from blocks
  where blocker_id = viewer_id()
  and blocked_id = $1) select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from (select) as one
  left join person_to_block($2) u on true
  where u.id is not null or refuse('NOT_FOUND');

-- UnblockTwice, ana: 11 3

-- ReplayOfUnblock, ana: 28 9 10

-- After, ben: 1 16

-- Wrong, ana: 1 2 1 1 3

-- 1: worker
select k.user_id, k.password_hash, k.device_generation, k.email, u.username
  from credentials k
  join users u on u.id = k.user_id
  where k.user_id = $1;

-- 2: worker
select input_hash, created_at < now() - interval '24 hours', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- 3: worker
select begin_sign_in($1, $2);

-- SignIn, nobody: 3 4 5

-- 4: worker
select k.user_id, k.password_hash, k.device_generation
  from credentials k
  where k.user_id in (select user_id
  from credentials
  where email = $1 union all select id
  from users
  where username = $2);

-- 5: worker
insert into sessions (id, user_id, user_agent, ip_address, family, current_hash) select $1, $2, $3, $4::text::inet, $5,
    $6
  from (select
  from credentials
  where user_id = $7
  and password_hash = $8 for share) as account;
delete
  from sign_in_attempts
  where login_hash = $1;

-- DeleteAccount, bearer: 1 3 6 7

-- 6: worker
delete
  from sign_in_attempts
  where login_hash = $1;

-- 7: worker
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
with k as materialized (select
  from credentials
  where user_id = viewer_id() for update) select
  from users
  where id = viewer_id()
  and (select count(*)
  from k) >= 0 for update;
with gone as (insert into deleted_accounts (user_id) select u.id
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id()
  and k.password_hash is not distinct
  from $1
  and (u.is_anonymous or k.user_id is not null)
  and not (not exists (select
  from users
  where id = u.id) or exists (select
  from deleted_accounts
  where user_id = u.id) or exists (select
  from account_merges
  where source_id = u.id
  and (select is_anonymous
  from users
  where id = source_id)))
  on conflict do nothing
  returning user_id), ended as (update sessions s
  set revoked_at = now()
  where s.revoked_at is null
  and s.user_id = (select user_id
  from gone)
  returning s.id), refused as (insert into revoked_sessions (session_id, expires_at) select id,
    now() + make_interval(secs => $2)
  from ended
  on conflict do nothing), silent as (delete
  from push_devices
  where user_id = (select user_id
  from gone)
  and session_id is null), nameless as (update users
  set username = null
  where id = (select user_id
  from gone)), closed as (delete
  from credentials
  where user_id = (select user_id
  from gone)), dead as (delete
  from one_time_tokens
  where user_id = (select user_id
  from gone)) select coalesce((select array_agg(id)
  from ended), '{}')
  where case
  when exists (select
  from gone) then true
  when (not exists (select
  from users
  where id = viewer_id()) or exists (select
  from deleted_accounts
  where user_id = viewer_id()) or exists (select
  from account_merges
  where source_id = viewer_id()
  and (select is_anonymous
  from users
  where id = source_id))) then refuse('UNAUTHENTICATED')
  else refuse('USER_ERRORS', 'WRONG_CREDENTIALS password') end;

-- SignInAgain, nobody: 3 4

-- HiddenAtOnce, nobody: 8 9 10 11 12 13 14 15

-- 8: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.username = $1;

-- 9: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- 10: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = any($1);

-- 11: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from events e
  where e.id = any($1);

-- 12: read
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at
  from comments c
  where c.id = any($1);

-- 13: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end, u.id, u.username, u.display_name, u.is_anonymous, u.bio,
    u.avatar_id, u.created_at
  from (select *
  from thoughts t
  where t.status = 'PUBLISHED'
  and (t.published_at, t.id) > ($1, $2)
  and (t.published_at, t.id) < ($3, $4)
  order by t.published_at desc, t.id desc
  limit 101) t
  join users u on u.id = t.author_id
  order by t.published_at desc, t.id desc
  limit $5;

-- 14: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end, u.id, u.username, u.display_name, u.is_anonymous, u.bio,
    u.avatar_id, u.created_at
  from (select *
  from events e
  where (e.created_at, e.id) > ($1, $2)
  and (e.created_at, e.id) < ($3, $4)
  order by e.created_at desc, e.id desc
  limit 101) e
  join users u on u.id = e.author_id
  order by e.created_at desc, e.id desc
  limit $5;

-- 15: read
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

-- WhatWasSaidStays, ana: 16 17 18 19 9

-- 16: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 17: read
select c.id, c.created_at, p.last_message_at
  from (select *
  from conversation_members p
  where p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and (p.last_message_at, p.conversation_id) > ($1, $2)
  and (p.last_message_at, p.conversation_id) < ($3, $4)
  order by p.last_message_at desc, p.conversation_id desc
  limit 101) p
  join conversations c on c.id = p.conversation_id
  order by p.last_message_at desc, p.conversation_id desc
  limit $5;

-- 18: read
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

-- 19: read
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  join conversation_members p on p.conversation_id = parent.id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  cross join lateral (select *
  from (select *
  from messages m
  where m.conversation_id = parent.id
  and m.number > $2
  and m.number < $3
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  order by m.number desc
  limit 101) m
  order by m.number desc
  limit $4) m
  order by parent.n;

-- NothingToActOn, ana: 20 21 22

-- 20: write
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

-- 21: write
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

-- 22: write
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

-- TheNameIsFree, ana: 23

-- 23: write
with changed as (update users u
  set display_name = coalesce($1, u.display_name), name_skeleton = coalesce($2, u.name_skeleton), username = case
  when $3 then $4
  else u.username end, bio = case
  when $5 then $6
  else u.bio end, avatar_id = case
  when $7 then $8
  else u.avatar_id end
  where u.id = viewer_id()
  and case
  when u.is_anonymous then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when $9::uuid is not null
  and not exists (select
  from images i
  where i.id = $10
  and i.owner_id = viewer_id()) then refuse('NOT_FOUND')
  else refuse_user_errors(array[case
  when username_is_taken($11, viewer_id()) then 'TAKEN username' end, case
  when imitates_somebody($12, $13, viewer_id()) then 'TAKEN displayName' end]) end
  returning u.id) select true
  where case
  when exists (select
  from changed) then true
  else refuse('UNAUTHENTICATED') end;
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- Anonymous, zoe: 1 24

-- 24: worker
with k as materialized (select
  from credentials
  where user_id = viewer_id() for update) select
  from users
  where id = viewer_id()
  and (select count(*)
  from k) >= 0 for update;
with gone as (insert into deleted_accounts (user_id) select u.id
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id()
  and k.password_hash is not distinct
  from $1
  and (u.is_anonymous or k.user_id is not null)
  and not (not exists (select
  from users
  where id = u.id) or exists (select
  from deleted_accounts
  where user_id = u.id) or exists (select
  from account_merges
  where source_id = u.id
  and (select is_anonymous
  from users
  where id = source_id)))
  on conflict do nothing
  returning user_id), ended as (update sessions s
  set revoked_at = now()
  where s.revoked_at is null
  and s.user_id = (select user_id
  from gone)
  returning s.id), refused as (insert into revoked_sessions (session_id, expires_at) select id,
    now() + make_interval(secs => $2)
  from ended
  on conflict do nothing), silent as (delete
  from push_devices
  where user_id = (select user_id
  from gone)
  and session_id is null), nameless as (update users
  set username = null
  where id = (select user_id
  from gone)), closed as (delete
  from credentials
  where user_id = (select user_id
  from gone)), dead as (delete
  from one_time_tokens
  where user_id = (select user_id
  from gone)) select coalesce((select array_agg(id)
  from ended), '{}')
  where case
  when exists (select
  from gone) then true
  when (not exists (select
  from users
  where id = viewer_id()) or exists (select
  from deleted_accounts
  where user_id = viewer_id()) or exists (select
  from account_merges
  where source_id = viewer_id()
  and (select is_anonymous
  from users
  where id = source_id))) then refuse('UNAUTHENTICATED')
  else refuse('USER_ERRORS', 'WRONG_CREDENTIALS password') end;

-- AnonymousIsHidden, zoe: 16

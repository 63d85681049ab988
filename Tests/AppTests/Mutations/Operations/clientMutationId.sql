-- Create, ana: 1

-- 1: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5) || jsonb_build_object('created', true));
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

-- Replay, ana: 1 2 3

-- 2: write
select input_hash, created_at < now() - interval '30 days', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- 3: write
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = $1;

-- OtherInput, ana: 1 2

-- AnotherAccount, ben: 1 4

-- 4: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- AnotherMutation, ana: 5

-- 5: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
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

-- Change, ana: 6

-- 6: write
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

-- ReplayShowsThePresent, ana: 1 2 3

-- Delete, ana: 7

-- 7: write
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

-- ReplayOfWhatIsGone, ana: 1 2 3

-- WeeksLater, ana: 1 2 3

-- AMonthLater, ana: 1 2 8 1

-- 8: write
delete
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3
  and created_at < now() - interval '30 days';

-- Mended, ana: 1

-- ErrorsAreNotRecorded, ana: 5

-- AfterAnError, ana: 5

-- RefusalsAreNotRecorded, ana: 9

-- 9: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
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

-- Empty, ana: 10

-- 10: write
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

-- Null, ana: 10

-- Twice, ana: 11 12 11 2 13 12

-- 11: write
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

-- 12: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = any($1);

-- 13: write
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at, u.id, u.username, u.display_name,
    u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from comments c
  join users u on u.id = c.author_id
  where c.id = $1;

-- Lengths, ana: 5

-- Rsvp, ana: 14 15

-- 14: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
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

-- 15: read
select event_id, status
  from event_rsvps
  where user_id = $1
  and event_id = any($2);

-- CancelRsvp, ana: 16 15

-- 16: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
delete
  from event_rsvps
  where event_id = $1
  and user_id = viewer_id()
  and lock_event(event_id);
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select) as one
  left join events e on e.id = $1
  and (e.author_id <> all(hidden_ids()))
  where e.id is not null or refuse('NOT_FOUND');

-- ReplayDoesNotApplyAgain, ana: 14 2 17 15

-- 17: write
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from events e
  where e.id = any($1);

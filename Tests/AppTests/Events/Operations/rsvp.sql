-- Rsvp, ben: 1 2

-- 1: write
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

-- 2: read
select event_id, status
  from event_rsvps
  where user_id = $1
  and event_id = any($2);

-- Change, zoe: 3 2

-- 3: write
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

-- Twice, zoe: 3 2

-- Attendees, ana: 4 2 5

-- 4: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from events e
  where e.id = any($1);

-- 5: read
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

-- Past, zoe: 1

-- UnderWay, zoe: 1

-- CancelIsAlwaysPossible, zoe: 6 2

-- 6: write
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

-- Cancel, zoe: 7 2

-- 7: write
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

-- CancelTwice, zoe: 6 2

-- NotThere, ana: 3 6

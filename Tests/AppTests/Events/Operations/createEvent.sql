-- Create, ana: 1 2 3

-- 1: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5) || jsonb_build_object('created', true));
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

-- 2: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- 3: read
select event_id, status
  from event_rsvps
  where user_id = $1
  and event_id = any($2);

-- Least, ana: 4

-- 4: write
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

-- AllErrors, ana: 5

-- 5: read
select array[case
  when not time_zone_exists($1) then 'INVALID timeZone' end];

-- Missing, ana: 5

-- LongestInGraphemeClusters, ana: 4

-- TooLong, ana: 5

-- TimeZones, ana: 4 4 4 4 4 4 4 5

-- WithAnId, ana: 4

-- Again, ana: 4 6

-- 6: write
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select) as one
  left join events e on e.id = $1
  and e.author_id = viewer_id()
  where e.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- AnothersId, ben: 4 6

-- WrongIds, ben: 4

-- EndsAsItStarts, ana: 5 5

-- Create, ana: 1

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
  and true then refuse('NOT_FOUND')
  else refuse_user_errors(array[case
  when not time_zone_exists($11) then 'INVALID timeZone' end]) end;
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select) as one
  left join events e on e.id = $1
  and e.author_id = viewer_id()
  where e.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- Keep, ana: 2 3

-- 2: write
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

-- 3: write
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select) as one
  left join events e on e.id = $1
  and e.author_id = viewer_id()
  where e.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- Overwrite, ana: 1 4

-- 4: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
update events e
  set name = $1, description = $2, location = $3, image_id = $4, starts_at = $5, ends_at = $6, time_zone = $7,
    updated_at = date_trunc('milliseconds', now())
  where e.id = $8
  and e.author_id = viewer_id()
  and (($9::uuid is null or exists (select
  from images i
  where i.id = $10
  and i.owner_id = viewer_id())) or refuse('NOT_FOUND'));
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select) as one
  left join events e on e.id = $1
  and e.author_id = viewer_id()
  where e.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- Replayed, ana: 1 5 6 1 5 6

-- 5: write
select input_hash, created_at < now() - interval '30 days', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- 6: write
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from events e
  where e.id = any($1);

-- UserErrors, ana: 7

-- 7: read
select array[case
  when not time_zone_exists($1) then 'INVALID timeZone' end];

-- StoredErrors, ana: 8

-- 8: write
insert into events (id, author_id, name, description, location, image_id, starts_at, ends_at, time_zone) select $1,
    viewer_id(), $2, $3, $4, $5, $6, $7, $8
  where case
  when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when not ($9::uuid is null or exists (select
  from images i
  where i.id = $10
  and i.owner_id = viewer_id()))
  and true then refuse('NOT_FOUND')
  else refuse_user_errors(array[case
  when not time_zone_exists($11) then 'INVALID timeZone' end]) end;
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select) as one
  left join events e on e.id = $1
  and e.author_id = viewer_id()
  where e.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- Anothers, mod: 8 9

-- 9: write
update events e
  set name = $1, description = $2, location = $3, image_id = $4, starts_at = $5, ends_at = $6, time_zone = $7,
    updated_at = date_trunc('milliseconds', now())
  where e.id = $8
  and e.author_id = viewer_id()
  and (($9::uuid is null or exists (select
  from images i
  where i.id = $10
  and i.owner_id = viewer_id())) or refuse('NOT_FOUND'));
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select) as one
  left join events e on e.id = $1
  and e.author_id = viewer_id()
  where e.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- Cancelled, ana: 8 9

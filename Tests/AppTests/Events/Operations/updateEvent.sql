-- Update, ben: 1 2

-- 1: write
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

-- 2: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- AbsentLeavesAll, ben: 3

-- 3: write
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

-- Some, ben: 3 4

-- 4: read
select i.id, i.mime_type, i.width, i.height, i.byte_size
  from images i
  where i.id = any($1);

-- NullClears, ben: 3

-- OneEndAlone, ben: 3 3 3 3 3

-- AllErrors, ben: 5

-- 5: read
select coalesce((select array[case
  when $1
  and coalesce($2, e.ends_at) <= coalesce($3, e.starts_at) then 'ENDS_BEFORE_START endsAt' end, case
  when not time_zone_exists($4) then 'INVALID timeZone' end]
  from events e
  where e.id = $5
  and e.author_id = viewer_id()), '{}');

-- StoredErrors, ben: 3

-- NotThere, ben: 3 3

-- AnothersWithErrors, ana: 3

-- OfOldWithoutALength, ben: 3 3

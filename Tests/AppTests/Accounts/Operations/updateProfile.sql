-- UpdateProfile, ana: 1 2

-- 1: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
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

-- 2: read
select i.id, i.mime_type, i.width, i.height, i.byte_size
  from images i
  where i.id = any($1);

-- Clear, ana: 3

-- 3: write
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
  else refuse_user_errors('{}') end
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

-- Nothing, ana: 3

-- Invalid, ana: 4

-- 4: read
select array[case
  when username_is_taken($1, viewer_id()) then 'TAKEN username' end, case
  when imitates_somebody($2, $3, viewer_id()) then 'TAKEN displayName' end];

-- TooLong, ana: 4

-- Taken, ana: 5 5

-- 5: write
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

-- AnothersAvatar, ana: 3

-- NoImage, ana: 3

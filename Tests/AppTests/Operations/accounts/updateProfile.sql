-- UpdateProfile, ana: 1 2

-- 1: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
update users u
  set display_name = coalesce($1, u.display_name), username = case
  when $2 then $3
  else u.username end, bio = case
  when $4 then $5
  else u.bio end, avatar_id = case
  when $6 then $7
  else u.avatar_id end
  where u.id = viewer_id()
  and case
  when u.is_anonymous then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when $8::uuid is not null
  and not exists (select
  from images i
  where i.id = $9
  and i.owner_id = viewer_id()) then refuse('NOT_FOUND')
  else refuse_user_errors(array[case
  when exists (select
  from users
  where username = $10
  and id <> viewer_id()) then 'TAKEN username' end]) end;
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email, k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 2: read
select i.id, i.mime_type, i.width, i.height, i.byte_size
  from images i
  where i.id = any($1);

-- Clear, ana: 3

-- 3: write
update users u
  set display_name = coalesce($1, u.display_name), username = case
  when $2 then $3
  else u.username end, bio = case
  when $4 then $5
  else u.bio end, avatar_id = case
  when $6 then $7
  else u.avatar_id end
  where u.id = viewer_id()
  and case
  when u.is_anonymous then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when $8::uuid is not null
  and not exists (select
  from images i
  where i.id = $9
  and i.owner_id = viewer_id()) then refuse('NOT_FOUND')
  else refuse_user_errors('{}') end;
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email, k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- Nothing, ana: 3

-- Invalid, ana: 4

-- 4: read
select array[case
  when exists (select
  from users
  where username = $1
  and id <> viewer_id()) then 'TAKEN username' end];

-- TooLong, ana: 4

-- Taken, ana: 5 5

-- 5: write
update users u
  set display_name = coalesce($1, u.display_name), username = case
  when $2 then $3
  else u.username end, bio = case
  when $4 then $5
  else u.bio end, avatar_id = case
  when $6 then $7
  else u.avatar_id end
  where u.id = viewer_id()
  and case
  when u.is_anonymous then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when $8::uuid is not null
  and not exists (select
  from images i
  where i.id = $9
  and i.owner_id = viewer_id()) then refuse('NOT_FOUND')
  else refuse_user_errors(array[case
  when exists (select
  from users
  where username = $10
  and id <> viewer_id()) then 'TAKEN username' end]) end;
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email, k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- AnothersAvatar, ana: 3

-- NoImage, ana: 3

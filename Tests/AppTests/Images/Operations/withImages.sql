-- Published, nobody: 1 2

-- 1: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = $1;

-- 2: read
select i.id, i.mime_type, i.width, i.height, i.byte_size
  from images i
  where i.id = any($1);

-- CreateDraft, ana: 3 2

-- 3: write
select store_image($1, $2, $3, $4, $5, $6, $7)
  where not exists (select
  from thoughts
  where id = $8);
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

-- UpdateThought, ana: 4 2

-- 4: write
select store_image($1, $2, $3, $4, $5, $6, $7)
  where exists (select
  from thoughts
  where id = $8
  and author_id = viewer_id());
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

-- CreateEvent, ana: 5 2

-- 5: write
select store_image($1, $2, $3, $4, $5, $6, $7)
  where not exists (select
  from events
  where id = $8);
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

-- UpdateEvent, ana: 6 2

-- 6: write
select store_image($1, $2, $3, $4, $5, $6, $7)
  where exists (select
  from events e
  where e.id = $8
  and e.author_id = viewer_id());
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

-- Damaged, ana: 7

-- 7: read
select array[case
  when not time_zone_exists($1) then 'INVALID timeZone' end];

-- Avatar, zoe: 8

-- 8: write
select store_image($1, $2, $3, $4, $5, $6, $7)
  where true;
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

-- NoAvatar, ana: 9

-- 9: read
select array[case
  when username_is_taken($1, viewer_id()) then 'TAKEN username' end, case
  when imitates_somebody($2, $3, viewer_id()) then 'TAKEN displayName' end];

-- Faces, nobody: 10 2

-- 10: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.username = $1;

-- NotTheirs, ben: 4 6

-- Storage, ben: 11 12

-- 11: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 12: read
select viewer_image_bytes();

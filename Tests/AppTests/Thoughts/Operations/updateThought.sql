-- Update, ana: 1 2

-- 1: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
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

-- 2: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- AbsentLeavesAll, ana: 3

-- 3: write
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

-- Some, ana: 3 4

-- 4: read
select i.id, i.mime_type, i.width, i.height, i.byte_size
  from images i
  where i.id = any($1);

-- NullClears, ana: 3

-- EmptyTitleClears, ana: 3 3

-- NotThere, ben: 3 3

-- AnothersImage, ana: 3

-- OnesDraft, ana: 3

-- Stays, ana: 5

-- 5: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = $1;

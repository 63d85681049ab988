-- NotAMember, zoe: 1

-- 1: write
insert into thoughts (id, author_id, category, title, text, image_id, status, published_at) select $1, viewer_id(), $2,
    $3, $4, $5, $6, case
  when $7 then date_trunc('milliseconds', now()) end
  where case
  when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when not ($8::uuid is null or exists (select
  from images i
  where i.id = $9
  and i.owner_id = viewer_id()))
  and true then refuse('NOT_FOUND')
  else true end;
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and t.author_id = viewer_id()
  where t.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- Create, ana: 2 3

-- 2: write
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

-- 3: read
select i.id, i.mime_type, i.width, i.height, i.byte_size
  from images i
  where i.id = any($1);

-- Keep, ana: 4 5 3

-- 4: write
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

-- 5: write
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and t.author_id = viewer_id()
  where t.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- Overwrite, ana: 6 7

-- 6: write
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
  and true then refuse('NOT_FOUND')
  else true end;
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and t.author_id = viewer_id()
  where t.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- 7: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
update thoughts t
  set category = $1, title = $2, text = $3, image_id = $4, status = $5, published_at = case
  when $6 then coalesce(t.published_at, date_trunc('milliseconds', now())) end, updated_at = date_trunc('milliseconds',
    now())
  where t.id = $7
  and t.author_id = viewer_id()
  and (($8::uuid is null or exists (select
  from images i
  where i.id = $9
  and i.owner_id = viewer_id())) or refuse('NOT_FOUND'));
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and t.author_id = viewer_id()
  where t.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- Replayed, ana: 2 8 9 6 8 9

-- 8: write
select input_hash, created_at < now() - interval '30 days', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- 9: write
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = $1;

-- Another, ana: 1

-- ByStatus, ana: 1 10 1 10 1 10

-- 10: write
update thoughts t
  set category = $1, title = $2, text = $3, image_id = $4, status = $5, published_at = case
  when $6 then coalesce(t.published_at, date_trunc('milliseconds', now())) end, updated_at = date_trunc('milliseconds',
    now())
  where t.id = $7
  and t.author_id = viewer_id()
  and (($8::uuid is null or exists (select
  from images i
  where i.id = $9
  and i.owner_id = viewer_id())) or refuse('NOT_FOUND'));
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and t.author_id = viewer_id()
  where t.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- WrongImages, ana: 1 4 5

-- Anothers, mod: 1 10 1 10

-- WithAFile, ana: 11 12 13 14 3

-- 11: write
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

-- 12: write
select store_image($1, $2, $3, $4, $5, $6, $7)
  where not exists (select
  from thoughts
  where id = $8);
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and t.author_id = viewer_id()
  where t.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- 13: write
select store_image($1, $2, $3, $4, $5, $6, $7)
  where true;
insert into thoughts (id, author_id, category, title, text, image_id, status, published_at) select $1, viewer_id(), $2,
    $3, $4, $5, $6, case
  when $7 then date_trunc('milliseconds', now()) end
  where case
  when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when not ($8::uuid is null or exists (select
  from images i
  where i.id = $9
  and i.owner_id = viewer_id()))
  and true then refuse('NOT_FOUND')
  else true end;
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and t.author_id = viewer_id()
  where t.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- 14: write
select store_image($1, $2, $3, $4, $5, $6, $7)
  where true;
update thoughts t
  set category = $1, title = $2, text = $3, image_id = $4, status = $5, published_at = case
  when $6 then coalesce(t.published_at, date_trunc('milliseconds', now())) end, updated_at = date_trunc('milliseconds',
    now())
  where t.id = $7
  and t.author_id = viewer_id()
  and (($8::uuid is null or exists (select
  from images i
  where i.id = $9
  and i.owner_id = viewer_id())) or refuse('NOT_FOUND'));
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and t.author_id = viewer_id()
  where t.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- OthersMakeNothing, ana: 15

-- 15: write
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

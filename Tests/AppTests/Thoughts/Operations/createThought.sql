-- Create, ben: 1 2 3 4 5

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

-- 2: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- 3: read
select thought_id
  from thought_likes
  where user_id = $1
  and thought_id = any($2);

-- 4: read
select thought_id
  from thought_saves
  where user_id = $1
  and thought_id = any($2);

-- 5: read
select thought_id, stars
  from thought_ratings
  where user_id = $1
  and thought_id = any($2);

-- Draft, ben: 6

-- 6: write
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

-- DraftsAreTheirAuthors, ben: 7

-- 7: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = $1;

-- LongestInGraphemeClusters, ben: 6

-- Texts, ben: 6 6

-- WithAnId, ben: 6

-- Again, ben: 6 8

-- 8: write
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and t.author_id = viewer_id()
  where t.id is not null or refuse('USER_ERRORS', 'TAKEN id');

-- AnothersId, ana: 6 8

-- AnothersDraftsId, ben: 6 8

-- WithAnImage, ana: 6 9

-- 9: read
select i.id, i.mime_type, i.width, i.height, i.byte_size
  from images i
  where i.id = any($1);

-- WrongImages, ana: 6 6 6

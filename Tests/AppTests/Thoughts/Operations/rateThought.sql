-- Rate, zoe: 1 2

-- 1: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
insert into thought_ratings as r (thought_id, user_id, stars) select $1, viewer_id(), $2
  where case
  when not exists (select
  from thoughts t
  where t.id = $3
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())) then refuse('NOT_FOUND')
  when lock_viewer() then lock_thought($4) end
  on conflict (thought_id, user_id) do update
  set stars = excluded.stars
  where r.stars <> excluded.stars;
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  where t.id is not null or refuse('NOT_FOUND');

-- 2: read
select thought_id, stars
  from thought_ratings
  where user_id = $1
  and thought_id = any($2);

-- Replace, ana: 3 2

-- 3: write
insert into thought_ratings as r (thought_id, user_id, stars) select $1, viewer_id(), $2
  where case
  when not exists (select
  from thoughts t
  where t.id = $3
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())) then refuse('NOT_FOUND')
  when lock_viewer() then lock_thought($4) end
  on conflict (thought_id, user_id) do update
  set stars = excluded.stars
  where r.stars <> excluded.stars;
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  where t.id is not null or refuse('NOT_FOUND');

-- Again, ben: 3 2

-- Ratings, zoe: 4 2

-- 4: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = $1;

-- BestRated, nobody: 5

-- 5: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end, t.rank
  from (select t.*, r.rank
  from thought_ranks r
  join thoughts t on t.id = r.thought_id
  where r.kind = 'BEST_RATED'
  and t.status = 'PUBLISHED'
  and (r.rank, r.thought_id) > ($1, $2)
  and (r.rank, r.thought_id) < ($3, $4)
  order by r.rank desc, r.thought_id desc
  limit 101) t
  order by t.rank desc, t.id desc
  limit $5;

-- NotThere, ben: 3 6 3

-- 6: write
delete
  from thought_ratings
  where thought_id = $1
  and user_id = viewer_id()
  and lock_thought(thought_id);
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  where t.id is not null or refuse('NOT_FOUND');

-- Unrate, zoe: 7 2

-- 7: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
delete
  from thought_ratings
  where thought_id = $1
  and user_id = viewer_id()
  and lock_thought(thought_id);
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  where t.id is not null or refuse('NOT_FOUND');

-- UnrateTwice, zoe: 6

-- RateOnceMore, zoe: 3

-- ReplayDoesNotApplyAgain, zoe: 7 8 9 2

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

-- AnotherInput, zoe: 1 8

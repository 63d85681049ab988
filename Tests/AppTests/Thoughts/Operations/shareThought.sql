-- Share, ben: 1

-- 1: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
insert into thought_shares (thought_id, user_id) select $1, viewer_id()
  where coalesce((select t.status = 'PUBLISHED' or refuse('USER_ERRORS', 'NOT_ALLOWED thoughtId')
  from thoughts t
  where t.id = $2
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())), refuse('NOT_FOUND'));
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  where t.id is not null or refuse('NOT_FOUND');

-- ReplayCountsOnce, ben: 1 2 3

-- 2: write
select input_hash, created_at < now() - interval '30 days', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- 3: write
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = $1;

-- EachShareCounts, ben: 4

-- 4: write
insert into thought_shares (thought_id, user_id) select $1, viewer_id()
  where coalesce((select t.status = 'PUBLISHED' or refuse('USER_ERRORS', 'NOT_ALLOWED thoughtId')
  from thoughts t
  where t.id = $2
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())), refuse('NOT_FOUND'));
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  where t.id is not null or refuse('NOT_FOUND');

-- ADraftHasNoLink, ana: 4

-- NotThere, ben: 4 4

-- ReplayOfWhatIsGone, ben: 1 2 3

-- Newest, ana: 1

-- 1: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end, u.id, u.username, u.display_name, u.is_anonymous, u.bio,
    u.avatar_id, u.created_at
  from (select *
  from thoughts t
  where t.status = 'PUBLISHED'
  and (t.published_at, t.id) > ($1, $2)
  and (t.published_at, t.id) < ($3, $4)
  order by t.published_at desc, t.id desc
  limit 101) t
  join users u on u.id = t.author_id
  order by t.published_at desc, t.id desc
  limit $5;

-- Orders, nobody: 2 3 4 5

-- 2: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select *
  from thoughts t
  where t.status = 'PUBLISHED'
  and (t.published_at, t.id) > ($1, $2)
  and (t.published_at, t.id) < ($3, $4)
  order by t.published_at desc, t.id desc
  limit 101) t
  order by t.published_at desc, t.id desc
  limit $5;

-- 3: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end, t.rank
  from (select t.*, r.rank
  from thought_ranks r
  join thoughts t on t.id = r.thought_id
  where r.kind = 'MOST_LIKED'
  and t.status = 'PUBLISHED'
  and (r.rank, r.thought_id) > ($1, $2)
  and (r.rank, r.thought_id) < ($3, $4)
  order by r.rank desc, r.thought_id desc
  limit 101) t
  order by t.rank desc, t.id desc
  limit $5;

-- 4: read
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

-- 5: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end, t.rank
  from (select t.*, r.rank
  from thought_ranks r
  join thoughts t on t.id = r.thought_id
  where r.kind = 'MOST_DISCUSSED'
  and t.status = 'PUBLISHED'
  and (r.rank, r.thought_id) > ($1, $2)
  and (r.rank, r.thought_id) < ($3, $4)
  order by r.rank desc, r.thought_id desc
  limit 101) t
  order by t.rank desc, t.id desc
  limit $5;

-- FirstPages, nobody: 2 3 4 5

-- NextPages, nobody: 2 3 4 5

-- Backwards, nobody: 6 7 8 9

-- 6: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select *
  from thoughts t
  where t.status = 'PUBLISHED'
  and (t.published_at, t.id) > ($1, $2)
  and (t.published_at, t.id) < ($3, $4)
  order by t.published_at asc, t.id asc
  limit 101) t
  order by t.published_at asc, t.id asc
  limit $5;

-- 7: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end, t.rank
  from (select t.*, r.rank
  from thought_ranks r
  join thoughts t on t.id = r.thought_id
  where r.kind = 'MOST_LIKED'
  and t.status = 'PUBLISHED'
  and (r.rank, r.thought_id) > ($1, $2)
  and (r.rank, r.thought_id) < ($3, $4)
  order by r.rank asc, r.thought_id asc
  limit 101) t
  order by t.rank asc, t.id asc
  limit $5;

-- 8: read
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
  order by r.rank asc, r.thought_id asc
  limit 101) t
  order by t.rank asc, t.id asc
  limit $5;

-- 9: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end, t.rank
  from (select t.*, r.rank
  from thought_ranks r
  join thoughts t on t.id = r.thought_id
  where r.kind = 'MOST_DISCUSSED'
  and t.status = 'PUBLISHED'
  and (r.rank, r.thought_id) > ($1, $2)
  and (r.rank, r.thought_id) < ($3, $4)
  order by r.rank asc, r.thought_id asc
  limit 101) t
  order by t.rank asc, t.id asc
  limit $5;

-- Last, nobody: 6

-- BeforeLast, nobody: 6

-- Filters, nobody: 10 11 12 13 2 2 10

-- 10: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select *
  from thoughts t
  where t.status = 'PUBLISHED'
  and t.category = $1
  and (t.published_at, t.id) > ($2, $3)
  and (t.published_at, t.id) < ($4, $5)
  order by t.published_at desc, t.id desc
  limit 101) t
  order by t.published_at desc, t.id desc
  limit $6;

-- 11: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select *
  from thoughts t
  where t.status = 'PUBLISHED'
  and t.category = any($1)
  and (t.published_at, t.id) > ($2, $3)
  and (t.published_at, t.id) < ($4, $5)
  order by t.published_at desc, t.id desc
  limit 101) t
  order by t.published_at desc, t.id desc
  limit $6;

-- 12: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select *
  from thoughts t
  where t.status = 'PUBLISHED'
  and t.author_id = $1
  and (t.published_at, t.id) > ($2, $3)
  and (t.published_at, t.id) < ($4, $5)
  order by t.published_at desc, t.id desc
  limit 101) t
  order by t.published_at desc, t.id desc
  limit $6;

-- 13: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end, t.rank
  from (select t.*, r.rank
  from thought_ranks r
  join thoughts t on t.id = r.thought_id
  where r.kind = 'MOST_LIKED'
  and t.status = 'PUBLISHED'
  and t.category = any($1)
  and t.author_id = $2
  and (r.rank, r.thought_id) > ($3, $4)
  and (r.rank, r.thought_id) < ($5, $6)
  order by r.rank desc, r.thought_id desc
  limit 101) t
  order by t.rank desc, t.id desc
  limit $7;

-- Authors, nobody: 12 12

-- DraftsAreNotListed, ana: 12

-- Sizes, nobody: 2 6 2 2 2

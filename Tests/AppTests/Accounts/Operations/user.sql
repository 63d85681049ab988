-- ById, ben: 1 2 3 4

-- 1: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- 2: read
select blocked_id
  from blocks
  where blocker_id = viewer_id()
  and blocked_id = any($1);

-- 3: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select *
  from thoughts t
  where t.status = 'PUBLISHED'
  and t.author_id = parent.id
  and (t.published_at, t.id) > ($2, $3)
  and (t.published_at, t.id) < ($4, $5)
  order by t.published_at desc, t.id desc
  limit 101) t
  order by t.published_at desc, t.id desc
  limit $6) t
  order by parent.n;

-- 4: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select *
  from events e
  where e.author_id = parent.id
  and (e.starts_at, e.id) > ($2, $3)
  and (e.starts_at, e.id) < ($4, $5)
  order by e.starts_at asc, e.id asc
  limit 101) e
  order by e.starts_at asc, e.id asc
  limit $6) e
  order by parent.n;

-- ByUsername, nobody: 5 5 5

-- 5: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.username = $1;

-- Unknown, nobody: 1 5 5

-- Anonymous, nobody: 1

-- Blocked, ana: 5 5 2

-- Avatar, nobody: 5 6

-- 6: read
select i.id, i.mime_type, i.width, i.height, i.byte_size
  from images i
  where i.id = any($1);

-- PagesOfThoughts, ben: 5 3 7 3

-- 7: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select *
  from thoughts t
  where t.status = 'PUBLISHED'
  and t.author_id = parent.id
  and (t.published_at, t.id) > ($2, $3)
  and (t.published_at, t.id) < ($4, $5)
  order by t.published_at asc, t.id asc
  limit 101) t
  order by t.published_at asc, t.id asc
  limit $6) t
  order by parent.n;

-- NextPageOfThoughts, ben: 5 3 7 3

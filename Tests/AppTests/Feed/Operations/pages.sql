-- OfOneInstant, nobody: 1 2

-- 1: read
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

-- 2: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select *
  from events e
  where (e.created_at, e.id) > ($1, $2)
  and (e.created_at, e.id) < ($3, $4)
  order by e.created_at desc, e.id desc
  limit 101) e
  order by e.created_at desc, e.id desc
  limit $5;

-- First, nobody: 1 2

-- Second, nobody: 1 2

-- Third, nobody: 1 2

-- BackToSecond, nobody: 3 4

-- 3: read
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

-- 4: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select *
  from events e
  where (e.created_at, e.id) > ($1, $2)
  and (e.created_at, e.id) < ($3, $4)
  order by e.created_at asc, e.id asc
  limit 101) e
  order by e.created_at asc, e.id asc
  limit $5;

-- BackToFirst, nobody: 3 4

-- Last, nobody: 3 4

-- None, nobody: 1 2

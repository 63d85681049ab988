-- OfAThought, ana: 1 2 3 4

-- 1: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = $1;

-- 2: read
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at, u.id, u.username, u.display_name,
    u.is_anonymous, u.bio, u.avatar_id, u.created_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select *
  from comments c
  where c.thought_id = parent.id
  and (c.created_at, c.id) > ($2, $3)
  and (c.created_at, c.id) < ($4, $5)
  order by c.created_at asc, c.id asc
  limit 101) c
  order by c.created_at asc, c.id asc
  limit $6) c
  join users u on u.id = c.author_id
  order by parent.n;

-- 3: read
select viewer_is_moderator();

-- 4: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = any($1);

-- OfAnEvent, mod: 5 6 3 5

-- 5: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from events e
  where e.id = any($1);

-- 6: read
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select *
  from comments c
  where c.event_id = parent.id
  and (c.created_at, c.id) > ($2, $3)
  and (c.created_at, c.id) < ($4, $5)
  order by c.created_at asc, c.id asc
  limit 101) c
  order by c.created_at asc, c.id asc
  limit $6) c
  order by parent.n;

-- First, nobody: 1 7

-- 7: read
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select *
  from comments c
  where c.thought_id = parent.id
  and (c.created_at, c.id) > ($2, $3)
  and (c.created_at, c.id) < ($4, $5)
  order by c.created_at asc, c.id asc
  limit 101) c
  order by c.created_at asc, c.id asc
  limit $6) c
  order by parent.n;

-- Second, nobody: 1 7

-- Third, nobody: 1 7

-- Back, nobody: 1 8

-- 8: read
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select *
  from comments c
  where c.thought_id = parent.id
  and (c.created_at, c.id) > ($2, $3)
  and (c.created_at, c.id) < ($4, $5)
  order by c.created_at desc, c.id desc
  limit 101) c
  order by c.created_at desc, c.id desc
  limit $6) c
  order by parent.n;

-- Last, nobody: 1 8

-- OfSeveral, nobody: 9 7 10

-- 9: read
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

-- 10: read
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at, u.id, u.username, u.display_name,
    u.is_anonymous, u.bio, u.avatar_id, u.created_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select *
  from comments c
  where c.thought_id = parent.id
  and (c.created_at, c.id) > ($2, $3)
  and (c.created_at, c.id) < ($4, $5)
  order by c.created_at desc, c.id desc
  limit 101) c
  order by c.created_at desc, c.id desc
  limit $6) c
  join users u on u.id = c.author_id
  order by parent.n;

-- Wrong, nobody: 1

-- OfEachKind, nobody: 5 5 6 11 6

-- 11: read
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select *
  from comments c
  where c.event_id = parent.id
  and (c.created_at, c.id) > ($2, $3)
  and (c.created_at, c.id) < ($4, $5)
  order by c.created_at desc, c.id desc
  limit 101) c
  order by c.created_at desc, c.id desc
  limit $6) c
  order by parent.n;

-- MoreOfEachKind, nobody: 5 5 12 6 11 6 11 6 11

-- 12: read
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

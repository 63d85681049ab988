-- Chronological, nobody: 1

-- 1: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end, u.id, u.username, u.display_name, u.is_anonymous, u.bio,
    u.avatar_id, u.created_at
  from (select *
  from events e
  where (e.starts_at, e.id) > ($1, $2)
  and (e.starts_at, e.id) < ($3, $4)
  order by e.starts_at asc, e.id asc
  limit 101) e
  join users u on u.id = e.author_id
  order by e.starts_at asc, e.id asc
  limit $5;

-- Filters, nobody: 2 3 3 4 4 5 5 6 7 7 2

-- 2: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select *
  from events e
  where (e.starts_at, e.id) > ($1, $2)
  and (e.starts_at, e.id) < ($3, $4)
  and e.author_id = $5
  order by e.starts_at asc, e.id asc
  limit 101) e
  order by e.starts_at asc, e.id asc
  limit $6;

-- 3: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select *
  from events e
  where (e.starts_at, e.id) > ($1, $2)
  and (e.starts_at, e.id) < ($3, $4)
  and e.starts_at >= $5
  order by e.starts_at asc, e.id asc
  limit 101) e
  order by e.starts_at asc, e.id asc
  limit $6;

-- 4: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select *
  from events e
  where (e.starts_at, e.id) > ($1, $2)
  and (e.starts_at, e.id) < ($3, $4)
  and e.starts_at < $5
  order by e.starts_at asc, e.id asc
  limit 101) e
  order by e.starts_at asc, e.id asc
  limit $6;

-- 5: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select *
  from events e
  where (e.starts_at, e.id) > ($1, $2)
  and (e.starts_at, e.id) < ($3, $4)
  and e.ends_at > $5
  order by e.starts_at asc, e.id asc
  limit 101) e
  order by e.starts_at asc, e.id asc
  limit $6;

-- 6: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select *
  from events e
  where (e.starts_at, e.id) > ($1, $2)
  and (e.starts_at, e.id) < ($3, $4)
  and e.author_id = $5
  and e.starts_at >= $6
  and e.starts_at < $7
  and e.ends_at > $8
  order by e.starts_at asc, e.id asc
  limit 101) e
  order by e.starts_at asc, e.id asc
  limit $9;

-- 7: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select *
  from events e
  where (e.starts_at, e.id) > ($1, $2)
  and (e.starts_at, e.id) < ($3, $4)
  order by e.starts_at asc, e.id asc
  limit 101) e
  order by e.starts_at asc, e.id asc
  limit $5;

-- First, nobody: 7

-- Next, nobody: 7

-- Rest, nobody: 7

-- Back, nobody: 8

-- 8: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select *
  from events e
  where (e.starts_at, e.id) > ($1, $2)
  and (e.starts_at, e.id) < ($3, $4)
  order by e.starts_at desc, e.id desc
  limit 101) e
  order by e.starts_at desc, e.id desc
  limit $5;

-- Last, nobody: 8

-- SmallLetters, nobody: 3

-- OfUsers, nobody: 9 10

-- 9: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- 10: read
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

-- OfUser, nobody: 11 10 12

-- 11: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.username = $1;

-- 12: read
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
  order by e.starts_at desc, e.id desc
  limit 101) e
  order by e.starts_at desc, e.id desc
  limit $6) e
  order by parent.n;

-- MoreOfUser, nobody: 11 10 12 10

-- NewestMarkFirst, ben: 1 2 3 4 5

-- 1: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 2: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end, u.id, u.username, u.display_name, u.is_anonymous, u.bio,
    u.avatar_id, u.created_at, t.marked_at
  from (select t.*, m.created_at as marked_at
  from thought_saves m
  join thoughts t on t.id = m.thought_id
  where m.user_id = viewer_id()
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  and (m.created_at, m.thought_id) > ($1, $2)
  and (m.created_at, m.thought_id) < ($3, $4)
  order by m.created_at desc, m.thought_id desc
  limit 101) t
  join users u on u.id = t.author_id
  order by t.marked_at desc, t.id desc
  limit $5;

-- 3: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end, u.id, u.username, u.display_name, u.is_anonymous, u.bio,
    u.avatar_id, u.created_at, t.marked_at
  from (select t.*, m.created_at as marked_at
  from thought_likes m
  join thoughts t on t.id = m.thought_id
  where m.user_id = viewer_id()
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  and (m.created_at, m.thought_id) > ($1, $2)
  and (m.created_at, m.thought_id) < ($3, $4)
  order by m.created_at desc, m.thought_id desc
  limit 101) t
  join users u on u.id = t.author_id
  order by t.marked_at desc, t.id desc
  limit $5;

-- 4: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end, u.id, u.username, u.display_name, u.is_anonymous, u.bio,
    u.avatar_id, u.created_at, e.marked_at
  from (select e.*, r.created_at as marked_at
  from event_rsvps r
  join events e on e.id = r.event_id
  where r.user_id = viewer_id()
  and (r.created_at, r.event_id) > ($1, $2)
  and (r.created_at, r.event_id) < ($3, $4)
  order by r.created_at desc, r.event_id desc
  limit 101) e
  join users u on u.id = e.author_id
  order by e.marked_at desc, e.id desc
  limit $5;

-- 5: read
select event_id, status
  from event_rsvps
  where user_id = $1
  and event_id = any($2);

-- FirstPages, ben: 1 6 7 8

-- 6: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end, t.marked_at
  from (select t.*, m.created_at as marked_at
  from thought_saves m
  join thoughts t on t.id = m.thought_id
  where m.user_id = viewer_id()
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  and (m.created_at, m.thought_id) > ($1, $2)
  and (m.created_at, m.thought_id) < ($3, $4)
  order by m.created_at desc, m.thought_id desc
  limit 101) t
  order by t.marked_at desc, t.id desc
  limit $5;

-- 7: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end, t.marked_at
  from (select t.*, m.created_at as marked_at
  from thought_likes m
  join thoughts t on t.id = m.thought_id
  where m.user_id = viewer_id()
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  and (m.created_at, m.thought_id) > ($1, $2)
  and (m.created_at, m.thought_id) < ($3, $4)
  order by m.created_at desc, m.thought_id desc
  limit 101) t
  order by t.marked_at desc, t.id desc
  limit $5;

-- 8: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end, e.marked_at
  from (select e.*, r.created_at as marked_at
  from event_rsvps r
  join events e on e.id = r.event_id
  where r.user_id = viewer_id()
  and (r.created_at, r.event_id) > ($1, $2)
  and (r.created_at, r.event_id) < ($3, $4)
  order by r.created_at desc, r.event_id desc
  limit 101) e
  order by e.marked_at desc, e.id desc
  limit $5;

-- NextPages, ben: 1 6 7 8

-- PreviousPages, ben: 1 9 10 11

-- 9: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end, t.marked_at
  from (select t.*, m.created_at as marked_at
  from thought_saves m
  join thoughts t on t.id = m.thought_id
  where m.user_id = viewer_id()
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  and (m.created_at, m.thought_id) > ($1, $2)
  and (m.created_at, m.thought_id) < ($3, $4)
  order by m.created_at asc, m.thought_id asc
  limit 101) t
  order by t.marked_at asc, t.id asc
  limit $5;

-- 10: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end, t.marked_at
  from (select t.*, m.created_at as marked_at
  from thought_likes m
  join thoughts t on t.id = m.thought_id
  where m.user_id = viewer_id()
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  and (m.created_at, m.thought_id) > ($1, $2)
  and (m.created_at, m.thought_id) < ($3, $4)
  order by m.created_at asc, m.thought_id asc
  limit 101) t
  order by t.marked_at asc, t.id asc
  limit $5;

-- 11: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end, e.marked_at
  from (select e.*, r.created_at as marked_at
  from event_rsvps r
  join events e on e.id = r.event_id
  where r.user_id = viewer_id()
  and (r.created_at, r.event_id) > ($1, $2)
  and (r.created_at, r.event_id) < ($3, $4)
  order by r.created_at asc, r.event_id asc
  limit 101) e
  order by e.marked_at asc, e.id asc
  limit $5;

-- CursorOfAnotherList, ben: 1

-- WhatIsADraftAgainIsLeftOut, ben: 1 6 7

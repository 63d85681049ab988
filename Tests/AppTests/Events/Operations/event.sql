-- EveryField, ben: 1 2 3 4

-- 1: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end, u.id, u.username, u.display_name, u.is_anonymous, u.bio,
    u.avatar_id, u.created_at
  from events e
  join users u on u.id = e.author_id
  where e.id = any($1);

-- 2: read
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at, u.id, u.username, u.display_name,
    u.is_anonymous, u.bio, u.avatar_id, u.created_at, parent.n
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
  join users u on u.id = c.author_id
  order by parent.n;

-- 3: read
select page.user_id, page.username, page.display_name, page.is_anonymous, page.bio, page.avatar_id, page.joined_at,
    page.status, page.created_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select r.user_id, r.status, r.created_at, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id,
    u.created_at as joined_at
  from event_rsvps r
  join users u on u.id = r.user_id
  where r.event_id = parent.id
  and not u.is_anonymous
  and (r.created_at, r.user_id) > ($2, $3)
  and (r.created_at, r.user_id) < ($4, $5)
  order by r.created_at desc, r.user_id desc
  limit 101) page
  order by page.created_at desc, page.user_id desc
  limit $6) page
  order by parent.n;

-- 4: read
select event_id, status
  from event_rsvps
  where user_id = $1
  and event_id = any($2);

-- NotThere, nobody: 5

-- 5: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from events e
  where e.id = any($1);

-- Attendees, nobody: 5 3 6 6 3 3

-- 6: read
select page.user_id, page.username, page.display_name, page.is_anonymous, page.bio, page.avatar_id, page.joined_at,
    page.status, page.created_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select r.user_id, r.status, r.created_at, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id,
    u.created_at as joined_at
  from event_rsvps r
  join users u on u.id = r.user_id
  where r.event_id = parent.id
  and not u.is_anonymous
  and r.status = $2
  and (r.created_at, r.user_id) > ($3, $4)
  and (r.created_at, r.user_id) < ($5, $6)
  order by r.created_at desc, r.user_id desc
  limit 101) page
  order by page.created_at desc, page.user_id desc
  limit $7) page
  order by parent.n;

-- NextAttendees, nobody: 5 3

-- LastAttendee, nobody: 5 7

-- 7: read
select page.user_id, page.username, page.display_name, page.is_anonymous, page.bio, page.avatar_id, page.joined_at,
    page.status, page.created_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select r.user_id, r.status, r.created_at, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id,
    u.created_at as joined_at
  from event_rsvps r
  join users u on u.id = r.user_id
  where r.event_id = parent.id
  and not u.is_anonymous
  and (r.created_at, r.user_id) > ($2, $3)
  and (r.created_at, r.user_id) < ($4, $5)
  order by r.created_at asc, r.user_id asc
  limit 101) page
  order by page.created_at asc, page.user_id asc
  limit $6) page
  order by parent.n;

-- BeforeLastAttendee, nobody: 5 7

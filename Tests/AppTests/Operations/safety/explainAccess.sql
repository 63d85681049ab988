-- OfAThought, mod: 1 1 1 1 1 1 1 1

-- 1: read
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(), viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false)
  from (select) as one
  left join (select t.id, t.author_id, false, false
  from thoughts t
  where t.id = $3
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())) as o (id, owner, ended, cancelled) on true;

-- OfADraft, mod: 1 1 1

-- OfOthers, mod: 2 3 3 4 5

-- 2: read
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(), viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false)
  from (select) as one
  left join (select c.id, c.author_id, false, false
  from comments c
  where c.id = $3
  and (c.author_id <> all(hidden_ids())
  and (c.thought_id is null or exists (select
  from thoughts t
  where t.id = c.thought_id
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())))
  and (c.event_id is null or exists (select
  from events e
  where e.id = c.event_id
  and e.author_id <> all(hidden_ids()))))) as o (id, owner, ended, cancelled) on true;

-- 3: read
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(), viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false)
  from (select) as one
  left join (select e.id, e.author_id, e.ends_at <= now(), e.cancelled_at is not null
  from events e
  where e.id = $3
  and (e.author_id <> all(hidden_ids()))) as o (id, owner, ended, cancelled) on true;

-- 4: read
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(), viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false)
  from (select) as one
  left join (select u.id, u.id, false, false
  from users u
  where u.id = $3
  and u.id <> all(hidden_ids())) as o (id, owner, ended, cancelled) on true;

-- 5: read
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(), viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false)
  from (select) as one
  left join (select r.id, r.reporter_id, false, false
  from reports r
  where r.id = $3
  and (r.reporter_id = viewer_id() or viewer_is_moderator())) as o (id, owner, ended, cancelled) on true;

-- Blocked, mod: 1 1 3 2 4

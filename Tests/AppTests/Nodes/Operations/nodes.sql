-- InTheOrderAskedFor, ana: 1 2 3 4 5 6 7

-- 1: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- 2: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = any($1)
  and u.id = viewer_id();

-- 3: read
select s.id, s.created_at, s.last_used_at, s.user_agent, host(s.ip_address)
  from sessions s
  where s.user_id = viewer_id()
  and s.revoked_at is null
  and s.rotated_at > now() - interval '30 days'
  and s.created_at > now() - interval '180 days'
  and s.id = any($1)
  order by s.last_used_at desc, s.id desc;

-- 4: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = any($1);

-- 5: read
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at
  from comments c
  where c.id = any($1);

-- 6: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from events e
  where e.id = any($1);

-- 7: read
select i.id, i.mime_type, i.width, i.height, i.byte_size, image_is_public(i.id, i.owner_id)
  from images i
  where i.id = any($1)
  and (image_is_public(i.id,
    i.owner_id) or (i.owner_id = any((select people_hidden_from_viewer())::uuid[])) is not true);

-- LevelsBelow, ana: 4 6 1 8 1 9

-- 8: read
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

-- 9: read
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

-- OneIsEnough, nobody: 4

-- Hundred, nobody: 1

-- OfAThought, mod: 1 1 1 1 1 1 1 1

-- 1: read
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(),
    viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false), coalesce(o.private, false)
  from (select) as one
  left join (select t.id, t.author_id, false, false, false
  from thoughts t
  where t.id = $3
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())) as o (id, owner, ended, cancelled,
    private) on true;

-- OfADraft, mod: 1 1 1

-- OfOthers, mod: 2 3 3 4 5

-- 2: read
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(),
    viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false), coalesce(o.private, false)
  from (select) as one
  left join (select c.id, c.author_id, false, false, false
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
  and (e.author_id <> all(hidden_ids())))))) as o (id, owner, ended, cancelled, private) on true;

-- 3: read
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(),
    viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false), coalesce(o.private, false)
  from (select) as one
  left join (select e.id, e.author_id, e.ends_at <= now(), e.cancelled_at is not null, false
  from events e
  where e.id = $3
  and (e.author_id <> all(hidden_ids()))) as o (id, owner, ended, cancelled, private) on true;

-- 4: read
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(),
    viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false), coalesce(o.private, false)
  from (select) as one
  left join (select u.id, u.id, false, false, false
  from users u
  where u.id = $3
  and u.id <> all(hidden_ids())) as o (id, owner, ended, cancelled, private) on true;

-- 5: read
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(),
    viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false), coalesce(o.private, false)
  from (select) as one
  left join (select r.id, r.reporter_id, false, false, false
  from reports r
  where r.id = $3
  and (r.reporter_id = viewer_id() or viewer_is_moderator())) as o (id, owner, ended, cancelled, private) on true;

-- OfWhatIsPrivate, mod: 6 6 6 7 7 7 8 9 10 11

-- 6: read
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(),
    viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false), coalesce(o.private, false)
  from (select) as one
  left join (select p.conversation_id, null::uuid, false, false, true
  from conversation_members p
  where p.conversation_id = $3
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true) as o (id, owner, ended, cancelled,
    private) on true;

-- 7: read
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(),
    viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false), coalesce(o.private, false)
  from (select) as one
  left join (select m.id, m.author_id, false, false, true
  from messages m
  join conversation_members p on p.conversation_id = m.conversation_id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  where m.id = $3
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true) as o (id, owner, ended, cancelled,
    private) on true;

-- 8: read
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(),
    viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false), coalesce(o.private, false)
  from (select) as one
  left join (select n.id, n.user_id, false, false, false
  from notifications n
  where n.id = $3
  and n.user_id = viewer_id()
  and (n.actors = '{}' or not n.actors <@ (select people_hidden_from_viewer())::uuid[])) as o (id, owner, ended,
    cancelled, private) on true;

-- 9: read
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(),
    viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false), coalesce(o.private, false)
  from (select) as one
  left join (select $3::uuid, viewer_id(), false, false, false
  where exists (select d.id, d.transport, d.created_at
  from push_devices d
  where d.user_id = viewer_id()
  and d.id = any($4)
  order by d.created_at desc, d.id desc)) as o (id, owner, ended, cancelled, private) on true;

-- 10: read
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(),
    viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false), coalesce(o.private, false)
  from (select) as one
  left join (select $3::uuid, viewer_id(), false, false, false
  where exists (select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role,
    k.email, k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = any($4)
  and u.id = viewer_id())) as o (id, owner, ended, cancelled, private) on true;

-- 11: read
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(),
    viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false), coalesce(o.private, false)
  from (select) as one
  left join (select i.id, i.owner_id, false, false, not image_is_public(i.id, i.owner_id)
  from images i
  where i.id = $3
  and (image_is_public(i.id,
    i.owner_id) or (i.owner_id = any((select people_hidden_from_viewer())::uuid[])) is not true)) as o (id, owner,
    ended, cancelled, private) on true;

-- Blocked, mod: 1 1 3 2 4

-- BlockedChat, ana: 6 7 4

-- OfOneself, ana: 4 4

-- read
-- gives bigint
select viewer_image_bytes()

-- read
-- gives boolean
select viewer_is_moderator()

-- read
-- gives integer
select coalesce(sum((select count(*)
  from messages m
  where m.conversation_id = p.conversation_id
  and m.number > p.last_read_number
  and m.author_id is distinct
  from viewer_id()
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true)), 0)::integer
  from conversation_members p
  where p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and p.newest_from_others > p.last_read_number

-- read
-- gives integer
select count(*)::integer
  from notifications n
  where n.read_at is null
  and n.user_id = viewer_id()
  and (n.actors = '{}' or not n.actors <@ (select people_hidden_from_viewer())::uuid[])

-- read
-- gives uuid, text, text, boolean, text, uuid, timestamp with time zone, text, text, boolean, text
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id()

-- read
-- gives uuid, timestamp with time zone, timestamp with time zone, text, text
select s.id, s.created_at, s.last_used_at, s.user_agent, host(s.ip_address)
  from sessions s
  where s.user_id = viewer_id()
  and s.revoked_at is null
  and s.rotated_at > now() - interval '30 days'
  and s.created_at > now() - interval '180 days'
  order by s.last_used_at desc, s.id desc

-- read (bigint, bigint, bigint, timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, text, integer, integer, integer, boolean, timestamp with time zone, uuid[], uuid[], uuid[], uuid[]
select i.id, i.mime_type, i.width, i.height, i.byte_size, image_is_public(i.id, i.owner_id), i.created_at,
    array(select id
  from users
  where avatar_id = i.id
  and id = viewer_id()), array(select id
  from thoughts
  where image_id = i.id
  and author_id = viewer_id()
  order by id desc
  limit $1), array(select id
  from events
  where image_id = i.id
  and author_id = viewer_id()
  order by id desc
  limit $2), array(select id
  from messages
  where image_id = i.id
  and author_id = viewer_id()
  order by id desc
  limit $3)
  from (select *
  from images i
  where i.owner_id = viewer_id()
  and (i.created_at, i.id) > ($4, $5)
  and (i.created_at, i.id) < ($6, $7)
  order by i.created_at desc, i.id desc
  limit 101) i
  order by i.created_at desc, i.id desc
  limit $8

-- read (bigint, uuid, bigint, uuid, bigint, uuid, bigint)
-- gives boolean
select count(*) > $1
  from ( (select
  from thoughts
  where image_id = $2
  and author_id = viewer_id()
  limit $3) union all (select
  from events
  where image_id = $4
  and author_id = viewer_id()
  limit $5) union all (select
  from messages
  where image_id = $6
  and author_id = viewer_id()
  limit $7)) uses

-- read (boolean, timestamp with time zone, timestamp with time zone, text, uuid)
-- gives text[]
select coalesce((select array[case
  when $1
  and coalesce($2, e.ends_at) <= coalesce($3, e.starts_at) then 'ENDS_BEFORE_START endsAt' end, case
  when not time_zone_exists($4) then 'INVALID timeZone' end]
  from events e
  where e.id = $5
  and e.author_id = viewer_id()), '{}')

-- read (integer, uuid, integer, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text, integer
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
  limit $5

-- read (integer, uuid, integer, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text, integer
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
  limit $5

-- read (integer, uuid, integer, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text, integer
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
  limit $5

-- read (integer, uuid, integer, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text, integer
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
  limit $5

-- read (integer, uuid, integer, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text, integer
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
  limit $5

-- read (integer, uuid, integer, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text, integer
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
  limit $5

-- read (text)
-- gives text[]
select array[case
  when not time_zone_exists($1) then 'INVALID timeZone' end]

-- read (text)
-- gives uuid, text, text, boolean, text, uuid, timestamp with time zone
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.username = $1

-- read (text, text, text)
-- gives text, uuid
select kind, object_id
  from imported_objects
  where old_id = $1
  and ($2::text is null or source = $3)
  order by source, kind
  limit 1

-- read (text, text, text)
-- gives text[]
select array[case
  when username_is_taken($1, viewer_id()) then 'TAKEN username' end, case
  when imitates_somebody($2, $3, viewer_id()) then 'TAKEN displayName' end]

-- read (text, timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, text, uuid, text, text, text, timestamp with time zone, timestamp with time zone, uuid, uuid
select r.id, r.subject_type, r.subject_id, r.reason, r.note, r.status, r.created_at, r.resolved_at, case
  when (select viewer_is_moderator()) then r.reporter_id end, case
  when (select viewer_is_moderator()) then r.resolved_by end
  from (select *
  from reports r
  where r.status = $1
  and (r.created_at, r.id) > ($2, $3)
  and (r.created_at, r.id) < ($4, $5)
  order by r.created_at asc, r.id asc
  limit 101) r
  order by r.created_at asc, r.id asc
  limit $6

-- read (text, timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, text, uuid, text, text, text, timestamp with time zone, timestamp with time zone, uuid, uuid
select r.id, r.subject_type, r.subject_id, r.reason, r.note, r.status, r.created_at, r.resolved_at, case
  when (select viewer_is_moderator()) then r.reporter_id end, case
  when (select viewer_is_moderator()) then r.resolved_by end
  from (select *
  from reports r
  where r.status = $1
  and (r.created_at, r.id) > ($2, $3)
  and (r.created_at, r.id) < ($4, $5)
  order by r.created_at desc, r.id desc
  limit 101) r
  order by r.created_at desc, r.id desc
  limit $6

-- read (text, timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text
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
  limit $6

-- read (text, uuid, uuid)
-- gives boolean, boolean, boolean, boolean, boolean, boolean, boolean, boolean
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
  and (e.author_id <> all(hidden_ids())))))) as o (id, owner, ended, cancelled, private) on true

-- read (text, uuid, uuid)
-- gives boolean, boolean, boolean, boolean, boolean, boolean, boolean, boolean
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(),
    viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false), coalesce(o.private, false)
  from (select) as one
  left join (select e.id, e.author_id, e.ends_at <= now(), e.cancelled_at is not null, false
  from events e
  where e.id = $3
  and (e.author_id <> all(hidden_ids()))) as o (id, owner, ended, cancelled, private) on true

-- read (text, uuid, uuid)
-- gives boolean, boolean, boolean, boolean, boolean, boolean, boolean, boolean
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(),
    viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false), coalesce(o.private, false)
  from (select) as one
  left join (select i.id, i.owner_id, false, false, not image_is_public(i.id, i.owner_id)
  from images i
  where i.id = $3
  and (image_is_public(i.id,
    i.owner_id) or (i.owner_id = any((select people_hidden_from_viewer())::uuid[])) is not true)) as o (id, owner,
    ended, cancelled, private) on true

-- read (text, uuid, uuid)
-- gives boolean, boolean, boolean, boolean, boolean, boolean, boolean, boolean
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
    private) on true

-- read (text, uuid, uuid)
-- gives boolean, boolean, boolean, boolean, boolean, boolean, boolean, boolean
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(),
    viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false), coalesce(o.private, false)
  from (select) as one
  left join (select n.id, n.user_id, false, false, false
  from notifications n
  where n.id = $3
  and n.user_id = viewer_id()
  and (n.actors = '{}' or not n.actors <@ (select people_hidden_from_viewer())::uuid[])) as o (id, owner, ended,
    cancelled, private) on true

-- read (text, uuid, uuid)
-- gives boolean, boolean, boolean, boolean, boolean, boolean, boolean, boolean
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(),
    viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false), coalesce(o.private, false)
  from (select) as one
  left join (select p.conversation_id, null::uuid, false, false, true
  from conversation_members p
  where p.conversation_id = $3
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true) as o (id, owner, ended, cancelled,
    private) on true

-- read (text, uuid, uuid)
-- gives boolean, boolean, boolean, boolean, boolean, boolean, boolean, boolean
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(),
    viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false), coalesce(o.private, false)
  from (select) as one
  left join (select r.id, r.reporter_id, false, false, false
  from reports r
  where r.id = $3
  and (r.reporter_id = viewer_id() or viewer_is_moderator())) as o (id, owner, ended, cancelled, private) on true

-- read (text, uuid, uuid)
-- gives boolean, boolean, boolean, boolean, boolean, boolean, boolean, boolean
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(),
    viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false), coalesce(o.private, false)
  from (select) as one
  left join (select t.id, t.author_id, false, false, false
  from thoughts t
  where t.id = $3
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())) as o (id, owner, ended, cancelled,
    private) on true

-- read (text, uuid, uuid)
-- gives boolean, boolean, boolean, boolean, boolean, boolean, boolean, boolean
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(),
    viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false), coalesce(o.private, false)
  from (select) as one
  left join (select u.id, u.id, false, false, false
  from users u
  where u.id = $3
  and u.id <> all(hidden_ids())) as o (id, owner, ended, cancelled, private) on true

-- read (text, uuid, uuid, uuid[])
-- gives boolean, boolean, boolean, boolean, boolean, boolean, boolean, boolean
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(),
    viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false), coalesce(o.private, false)
  from (select) as one
  left join (select $3::uuid, viewer_id(), false, false, false
  where exists (select d.id, d.transport, d.created_at
  from push_devices d
  where d.user_id = viewer_id()
  and d.id = any($4)
  order by d.created_at desc, d.id desc)) as o (id, owner, ended, cancelled, private) on true

-- read (text, uuid, uuid, uuid[])
-- gives boolean, boolean, boolean, boolean, boolean, boolean, boolean, boolean
select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(),
    viewer_blocked_owner($1, $2), coalesce(o.ended, false), coalesce(o.cancelled, false), coalesce(o.private, false)
  from (select) as one
  left join (select $3::uuid, viewer_id(), false, false, false
  where exists (select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role,
    k.email, k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = any($4)
  and u.id = viewer_id())) as o (id, owner, ended, cancelled, private) on true

-- read (text[], timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text
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
  limit $6

-- read (text[], uuid, integer, uuid, integer, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text, integer
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
  limit $7

-- read (timestamp with time zone, uuid, bigint)
-- gives uuid, text, text, boolean, text, uuid, timestamp with time zone, timestamp with time zone
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, p.blocked_at
  from people_blocked_by_viewer($1, $2, $3) p
  cross join lateral (select (p.person).*) u

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, text, uuid, integer, text, text, uuid, timestamp with time zone, timestamp with time zone, text
select n.id, n.kind, coalesce(s.actor_id, n.actor_id), coalesce(s.others, n.actor_count), coalesce(s.sentence, n.text),
    n.subject_type, n.subject_id, n.created_at, n.read_at, n.reason
  from (select *
  from notifications n
  where n.user_id = viewer_id()
  and (n.actors = '{}' or not n.actors <@ (select people_hidden_from_viewer())::uuid[])
  and (n.created_at, n.id) > ($1, $2)
  and (n.created_at, n.id) < ($3, $4)
  order by n.created_at asc, n.id asc
  limit 101) n
  left join lateral (select f.*
  from (select
  where n.actor_id is not null
  and (n.actors && (select people_hidden_from_viewer())::uuid[] or (select true
  from users u
  where u.id = n.actor_id) is null) offset 0) o
  cross join lateral notification_without(n.kind, n.actors, n.actor_count, n.text,
    (select people_hidden_from_viewer())::uuid[]) f) s on true
  order by n.created_at asc, n.id asc
  limit $5

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, text, uuid, integer, text, text, uuid, timestamp with time zone, timestamp with time zone, text
select n.id, n.kind, coalesce(s.actor_id, n.actor_id), coalesce(s.others, n.actor_count), coalesce(s.sentence, n.text),
    n.subject_type, n.subject_id, n.created_at, n.read_at, n.reason
  from (select *
  from notifications n
  where n.user_id = viewer_id()
  and (n.actors = '{}' or not n.actors <@ (select people_hidden_from_viewer())::uuid[])
  and (n.created_at, n.id) > ($1, $2)
  and (n.created_at, n.id) < ($3, $4)
  order by n.created_at desc, n.id desc
  limit 101) n
  left join lateral (select f.*
  from (select
  where n.actor_id is not null
  and (n.actors && (select people_hidden_from_viewer())::uuid[] or (select true
  from users u
  where u.id = n.actor_id) is null) offset 0) o
  cross join lateral notification_without(n.kind, n.actors, n.actor_count, n.text,
    (select people_hidden_from_viewer())::uuid[]) f) s on true
  order by n.created_at desc, n.id desc
  limit $5

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, text, uuid, integer, text, text, uuid, timestamp with time zone, timestamp with time zone, text
select n.id, n.kind, coalesce(s.actor_id, n.actor_id), coalesce(s.others, n.actor_count), coalesce(s.sentence, n.text),
    n.subject_type, n.subject_id, n.created_at, n.read_at, n.reason
  from (select *
  from notifications n
  where n.user_id = viewer_id()
  and (n.actors = '{}' or not n.actors <@ (select people_hidden_from_viewer())::uuid[])
  and n.read_at is null
  and (n.created_at, n.id) > ($1, $2)
  and (n.created_at, n.id) < ($3, $4)
  order by n.created_at desc, n.id desc
  limit 101) n
  left join lateral (select f.*
  from (select
  where n.actor_id is not null
  and (n.actors && (select people_hidden_from_viewer())::uuid[] or (select true
  from users u
  where u.id = n.actor_id) is null) offset 0) o
  cross join lateral notification_without(n.kind, n.actors, n.actor_count, n.text,
    (select people_hidden_from_viewer())::uuid[]) f) s on true
  order by n.created_at desc, n.id desc
  limit $5

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, timestamp with time zone, timestamp with time zone
select c.id, c.created_at, p.last_message_at
  from (select *
  from conversation_members p
  where p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and (p.last_message_at, p.conversation_id) > ($1, $2)
  and (p.last_message_at, p.conversation_id) < ($3, $4)
  order by p.last_message_at asc, p.conversation_id asc
  limit 101) p
  join conversations c on c.id = p.conversation_id
  order by p.last_message_at asc, p.conversation_id asc
  limit $5

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, timestamp with time zone, timestamp with time zone
select c.id, c.created_at, p.last_message_at
  from (select *
  from conversation_members p
  where p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and (p.last_message_at, p.conversation_id) > ($1, $2)
  and (p.last_message_at, p.conversation_id) < ($3, $4)
  order by p.last_message_at desc, p.conversation_id desc
  limit 101) p
  join conversations c on c.id = p.conversation_id
  order by p.last_message_at desc, p.conversation_id desc
  limit $5

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text
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
  limit $5

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text
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
  limit $5

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text, timestamp with time zone
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
  limit $5

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text, uuid, text, text, boolean, text, uuid, timestamp with time zone
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
  limit $5

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, text
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
  limit $5

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, text
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
  limit $5

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, text
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
  limit $5

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, text
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
  limit $5

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, text, timestamp with time zone
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
  limit $5

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, text, uuid, text, text, boolean, text, uuid, timestamp with time zone
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end, u.id, u.username, u.display_name, u.is_anonymous, u.bio,
    u.avatar_id, u.created_at
  from (select *
  from events e
  where (e.created_at, e.id) > ($1, $2)
  and (e.created_at, e.id) < ($3, $4)
  order by e.created_at desc, e.id desc
  limit 101) e
  join users u on u.id = e.author_id
  order by e.created_at desc, e.id desc
  limit $5

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, text, uuid, text, text, boolean, text, uuid, timestamp with time zone
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
  limit $5

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, timestamp with time zone, bigint)
-- gives uuid, uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, text
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
  limit $6

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, timestamp with time zone, bigint)
-- gives uuid, uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, text
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
  limit $6

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, timestamp with time zone, bigint)
-- gives uuid, uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, text
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
  limit $6

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, text
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select *
  from events e
  where (e.created_at, e.id) > ($1, $2)
  and (e.created_at, e.id) < ($3, $4)
  and e.author_id = $5
  order by e.created_at desc, e.id desc
  limit 101) e
  order by e.created_at desc, e.id desc
  limit $6

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, text
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
  limit $6

-- read (timestamp with time zone, uuid, timestamp with time zone, uuid, uuid, timestamp with time zone, timestamp with time zone, timestamp with time zone, bigint)
-- gives uuid, uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, text
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
  limit $9

-- read (uuid)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = $1

-- read (uuid)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text, uuid, text, text, boolean, text, uuid, timestamp with time zone
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end, u.id, u.username, u.display_name, u.is_anonymous, u.bio,
    u.avatar_id, u.created_at
  from thoughts t
  join users u on u.id = t.author_id
  where t.id = $1

-- read (uuid, text, timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select *
  from thoughts t
  where t.author_id = $1
  and t.status = $2
  and (t.created_at, t.id) > ($3, $4)
  and (t.created_at, t.id) < ($5, $6)
  order by t.created_at desc, t.id desc
  limit 101) t
  order by t.created_at desc, t.id desc
  limit $7

-- read (uuid, timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select *
  from thoughts t
  where t.author_id = $1
  and (t.created_at, t.id) > ($2, $3)
  and (t.created_at, t.id) < ($4, $5)
  order by t.created_at asc, t.id asc
  limit 101) t
  order by t.created_at asc, t.id asc
  limit $6

-- read (uuid, timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select *
  from thoughts t
  where t.author_id = $1
  and (t.created_at, t.id) > ($2, $3)
  and (t.created_at, t.id) < ($4, $5)
  order by t.created_at desc, t.id desc
  limit 101) t
  order by t.created_at desc, t.id desc
  limit $6

-- read (uuid, timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text
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
  limit $6

-- read (uuid, uuid[])
-- gives uuid
select thought_id
  from thought_likes
  where user_id = $1
  and thought_id = any($2)

-- read (uuid, uuid[])
-- gives uuid, text
select event_id, status
  from event_rsvps
  where user_id = $1
  and event_id = any($2)

-- read (uuid[])
-- gives timestamp with time zone, timestamp with time zone, uuid, bigint, uuid, text, text, boolean, text, uuid, timestamp with time zone
select o.joined_at, o.left_at, o.last_read_message_id, parent.n, u.id, u.username, u.display_name, u.is_anonymous,
    u.bio, u.avatar_id, u.created_at
  from unnest($1) with ordinality as parent (id, n)
  join conversation_members p on p.conversation_id = parent.id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  join conversation_members o on o.conversation_id = parent.id
  and (o.user_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  left join users u on u.id = o.user_id
  order by parent.n, o.place

-- read (uuid[])
-- gives uuid
select blocked_id
  from blocks
  where blocker_id = viewer_id()
  and blocked_id = any($1)

-- read (uuid[])
-- gives uuid, integer
select p.conversation_id, (select count(*)
  from messages m
  where m.conversation_id = p.conversation_id
  and m.number > p.last_read_number
  and m.author_id is distinct
  from viewer_id()
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true)::integer
  from conversation_members p
  where p.conversation_id = any($1)
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and p.newest_from_others > p.last_read_number

-- read (uuid[])
-- gives uuid, text, integer, integer, integer
select i.id, i.mime_type, i.width, i.height, i.byte_size
  from images i
  where i.id = any($1)

-- read (uuid[])
-- gives uuid, text, integer, integer, integer, boolean
select i.id, i.mime_type, i.width, i.height, i.byte_size, image_is_public(i.id, i.owner_id)
  from images i
  where i.id = any($1)
  and (image_is_public(i.id,
    i.owner_id) or (i.owner_id = any((select people_hidden_from_viewer())::uuid[])) is not true)

-- read (uuid[])
-- gives uuid, text, integer, integer, integer, uuid
select i.id, i.mime_type, i.width, i.height, i.byte_size, i.report_id
  from report_images i
  where i.report_id = any($1)
  and viewer_is_moderator()
  order by i.id

-- read (uuid[])
-- gives uuid, text, text, boolean, text, uuid, timestamp with time zone
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1)

-- read (uuid[])
-- gives uuid, text, text, boolean, text, uuid, timestamp with time zone, text, text, boolean, text
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = any($1)
  and u.id = viewer_id()

-- read (uuid[])
-- gives uuid, text, timestamp with time zone
select d.id, d.transport, d.created_at
  from push_devices d
  where d.user_id = viewer_id()
  and d.id = any($1)
  order by d.created_at desc, d.id desc

-- read (uuid[])
-- gives uuid, text, uuid, integer, text, text, uuid, timestamp with time zone, timestamp with time zone, text
select n.id, n.kind, coalesce(s.actor_id, n.actor_id), coalesce(s.others, n.actor_count), coalesce(s.sentence, n.text),
    n.subject_type, n.subject_id, n.created_at, n.read_at, n.reason
  from notifications n
  left join lateral (select f.*
  from (select
  where n.actor_id is not null
  and (n.actors && (select people_hidden_from_viewer())::uuid[] or (select true
  from users u
  where u.id = n.actor_id) is null) offset 0) o
  cross join lateral notification_without(n.kind, n.actors, n.actor_count, n.text,
    (select people_hidden_from_viewer())::uuid[]) f) s on true
  where n.id = any($1)
  and n.user_id = viewer_id()
  and (n.actors = '{}' or not n.actors <@ (select people_hidden_from_viewer())::uuid[])

-- read (uuid[])
-- gives uuid, text, uuid, text, text, text, timestamp with time zone, timestamp with time zone, uuid, uuid
select r.id, r.subject_type, r.subject_id, r.reason, r.note, r.status, r.created_at, r.resolved_at, case
  when (select viewer_is_moderator()) then r.reporter_id end, case
  when (select viewer_is_moderator()) then r.resolved_by end
  from reports r
  where r.id = any($1)

-- read (uuid[])
-- gives uuid, timestamp with time zone, text, timestamp with time zone
select s.user_id, s.until, s.reason, s.created_at
  from suspensions s
  where s.user_id = any($1)
  and s.until > now()

-- read (uuid[])
-- gives uuid, timestamp with time zone, timestamp with time zone
select c.id, c.created_at, p.last_message_at
  from conversation_members p
  join conversations c on c.id = p.conversation_id
  where p.conversation_id = any($1)
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true

-- read (uuid[])
-- gives uuid, timestamp with time zone, timestamp with time zone, text, text
select s.id, s.created_at, s.last_used_at, s.user_agent, host(s.ip_address)
  from sessions s
  where s.user_id = viewer_id()
  and s.revoked_at is null
  and s.rotated_at > now() - interval '30 days'
  and s.created_at > now() - interval '180 days'
  and s.id = any($1)
  order by s.last_used_at desc, s.id desc

-- read (uuid[])
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = any($1)

-- read (uuid[])
-- gives uuid, uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, text
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from events e
  where e.id = any($1)

-- read (uuid[])
-- gives uuid, uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, text, uuid, text, text, boolean, text, uuid, timestamp with time zone
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end, u.id, u.username, u.display_name, u.is_anonymous, u.bio,
    u.avatar_id, u.created_at
  from events e
  join users u on u.id = e.author_id
  where e.id = any($1)

-- read (uuid[])
-- gives uuid, uuid, uuid, text, uuid, bigint, timestamp with time zone, timestamp with time zone
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at
  from conversation_members p
  cross join lateral (select *
  from messages m
  where m.conversation_id = p.conversation_id
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  order by m.number desc
  limit 1) m
  where p.conversation_id = any($1)
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true

-- read (uuid[])
-- gives uuid, uuid, uuid, text, uuid, bigint, timestamp with time zone, timestamp with time zone
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at
  from messages m
  join conversation_members p on p.conversation_id = m.conversation_id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  where m.id = any($1)
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true

-- read (uuid[])
-- gives uuid, uuid, uuid, uuid, text, timestamp with time zone, timestamp with time zone
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at
  from comments c
  where c.id = any($1)

-- read (uuid[], bigint, bigint, bigint)
-- gives uuid, uuid, uuid, text, uuid, bigint, timestamp with time zone, timestamp with time zone, bigint
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  join conversation_members p on p.conversation_id = parent.id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  cross join lateral (select *
  from (select *
  from messages m
  where m.conversation_id = parent.id
  and m.number > $2
  and m.number < $3
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  order by m.number asc
  limit 101) m
  order by m.number asc
  limit $4) m
  order by parent.n

-- read (uuid[], bigint, bigint, bigint)
-- gives uuid, uuid, uuid, text, uuid, bigint, timestamp with time zone, timestamp with time zone, bigint
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  join conversation_members p on p.conversation_id = parent.id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  cross join lateral (select *
  from (select *
  from messages m
  where m.conversation_id = parent.id
  and m.number > $2
  and m.number < $3
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  order by m.number desc
  limit 101) m
  order by m.number desc
  limit $4) m
  order by parent.n

-- read (uuid[], timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, text, text, boolean, text, uuid, timestamp with time zone, text, timestamp with time zone, bigint
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
  order by parent.n

-- read (uuid[], timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, text, text, boolean, text, uuid, timestamp with time zone, timestamp with time zone, bigint
select page.user_id, page.username, page.display_name, page.is_anonymous, page.bio, page.avatar_id, page.joined_at,
    page.created_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select l.user_id, l.created_at, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id,
    u.created_at as joined_at
  from thought_likes l
  join users u on u.id = l.user_id
  where l.thought_id = parent.id
  and not u.is_anonymous
  and (l.created_at, l.user_id) > ($2, $3)
  and (l.created_at, l.user_id) < ($4, $5)
  order by l.created_at desc, l.user_id desc
  limit 101) page
  order by page.created_at desc, page.user_id desc
  limit $6) page
  order by parent.n

-- read (uuid[], timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text, bigint
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
  order by parent.n

-- read (uuid[], timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text, bigint
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
  order by parent.n

-- read (uuid[], timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, text, bigint
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
  order by parent.n

-- read (uuid[], timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, uuid, uuid, text, timestamp with time zone, timestamp with time zone, bigint
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
  order by parent.n

-- read (uuid[], timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, uuid, uuid, text, timestamp with time zone, timestamp with time zone, bigint
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
  order by parent.n

-- read (uuid[], timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, uuid, uuid, text, timestamp with time zone, timestamp with time zone, uuid, text, text, boolean, text, uuid, timestamp with time zone, bigint
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
  order by parent.n

-- read (uuid[], timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, uuid, uuid, text, timestamp with time zone, timestamp with time zone, uuid, text, text, boolean, text, uuid, timestamp with time zone, bigint
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
  order by parent.n

-- read (uuid[], timestamp with time zone, uuid, timestamp with time zone, uuid, bigint)
-- gives uuid, uuid, uuid, uuid, text, timestamp with time zone, timestamp with time zone, uuid, text, text, boolean, text, uuid, timestamp with time zone, bigint
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
  order by parent.n

-- slow (timestamp with time zone, text, text, text, timestamp with time zone, boolean, text, timestamp with time zone, boolean, text, timestamp with time zone, boolean, text, timestamp with time zone, bigint, uuid, bigint)
-- gives text, uuid, bigint, timestamp with time zone
select kind, id, score, coalesce($1, now())
  from (select *
  from ( select kind, id,
    (1e9 * ((words @@ search_query($2))::int + (words @@ search_beginnings($3))::int + ts_rank(words,
    search_slips($4)) * case kind
  when 'USER' then 1
  else 0.5 + 0.5 * power(0.5::float8, least(900, extract(epoch
  from coalesce($5, now()) - at)::float8 / 2592000)) end))::bigint as score
  from ((select *
  from search_entries
  where $6
  and kind = 'THOUGHT'
  and words @@ search_slips($7)
  and at <= coalesce($8, now())
  order by at desc, id desc
  limit 1000) union all (select *
  from search_entries
  where $9
  and kind = 'EVENT'
  and words @@ search_slips($10)
  and at <= coalesce($11, now())
  order by at desc, id desc
  limit 1000) union all (select *
  from search_entries
  where $12
  and kind = 'USER'
  and words @@ search_slips($13)
  and at <= coalesce($14, now())
  order by at desc, id desc
  limit 1000)) newest ) scored
  where (score, id) < ($15, $16)
  order by score desc, id desc
  limit 3000) found
  where case kind
  when 'THOUGHT' then (select true
  from thoughts t
  where t.id = found.id)
  when 'EVENT' then (select true
  from events e
  where e.id = found.id)
  else (select true
  from users u
  where u.id = found.id) end
  order by score desc, id desc
  limit $17

-- slow (timestamp with time zone, text, text, timestamp with time zone, boolean, text, timestamp with time zone, boolean, text, timestamp with time zone, boolean, text, timestamp with time zone, bigint, uuid, bigint)
-- gives text, uuid, bigint, timestamp with time zone
select kind, id, score, coalesce($1, now())
  from (select *
  from ( select kind, id, (1e9 * ((words @@ search_query($2))::int + ts_rank(words, search_beginnings($3)) * case kind
  when 'USER' then 1
  else 0.5 + 0.5 * power(0.5::float8, least(900, extract(epoch
  from coalesce($4, now()) - at)::float8 / 2592000)) end))::bigint as score
  from ((select *
  from search_entries
  where $5
  and kind = 'THOUGHT'
  and words @@ search_beginnings($6)
  and at <= coalesce($7, now())
  order by at desc, id desc
  limit 1000) union all (select *
  from search_entries
  where $8
  and kind = 'EVENT'
  and words @@ search_beginnings($9)
  and at <= coalesce($10, now())
  order by at desc, id desc
  limit 1000) union all (select *
  from search_entries
  where $11
  and kind = 'USER'
  and words @@ search_beginnings($12)
  and at <= coalesce($13, now())
  order by at desc, id desc
  limit 1000)) newest ) scored
  where (score, id) < ($14, $15)
  order by score desc, id desc
  limit 3000) found
  where case kind
  when 'THOUGHT' then (select true
  from thoughts t
  where t.id = found.id)
  when 'EVENT' then (select true
  from events e
  where e.id = found.id)
  else (select true
  from users u
  where u.id = found.id) end
  order by score desc, id desc
  limit $16

-- slow (timestamp with time zone, text, timestamp with time zone, boolean, text, timestamp with time zone, boolean, text, timestamp with time zone, boolean, text, timestamp with time zone, bigint, uuid, bigint)
-- gives text, uuid, bigint, timestamp with time zone
select kind, id, score, coalesce($1, now())
  from (select *
  from ( select kind, id, (1e9 * (ts_rank(words, search_query($2)) * case kind
  when 'USER' then 1
  else 0.5 + 0.5 * power(0.5::float8, least(900, extract(epoch
  from coalesce($3, now()) - at)::float8 / 2592000)) end))::bigint as score
  from ((select *
  from search_entries
  where $4
  and kind = 'THOUGHT'
  and words @@ search_query($5)
  and at <= coalesce($6, now())
  order by at desc, id desc
  limit 1000) union all (select *
  from search_entries
  where $7
  and kind = 'EVENT'
  and words @@ search_query($8)
  and at <= coalesce($9, now())
  order by at desc, id desc
  limit 1000) union all (select *
  from search_entries
  where $10
  and kind = 'USER'
  and words @@ search_query($11)
  and at <= coalesce($12, now())
  order by at desc, id desc
  limit 1000)) newest ) scored
  where (score, id) < ($13, $14)
  order by score desc, id desc
  limit 3000) found
  where case kind
  when 'THOUGHT' then (select true
  from thoughts t
  where t.id = found.id)
  when 'EVENT' then (select true
  from events e
  where e.id = found.id)
  else (select true
  from users u
  where u.id = found.id) end
  order by score desc, id desc
  limit $15

-- slow (timestamp with time zone, timestamp with time zone, text)
-- gives text, timestamp with time zone, bigint
select kind, at, count
  from usage_figures($1, $2, $3)

-- worker
-- gives nothing
select
  from credentials
  where user_id = viewer_id() for update

-- worker
-- gives nothing
with k as materialized (select
  from credentials
  where user_id = viewer_id() for update) select
  from users
  where id = viewer_id()
  and (select count(*)
  from k) >= 0 for update

-- worker
-- gives uuid, text, text, boolean, text, uuid, timestamp with time zone, text, text, boolean, text
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id()

-- worker (bytea)
-- gives nothing
delete
  from sign_in_attempts
  where login_hash = $1

-- worker (bytea)
-- gives nothing
select
  from credentials
  where user_id = (select user_id
  from one_time_tokens
  where hash = $1) for update

-- worker (bytea)
-- gives text, text
select k.email, u.username
  from one_time_tokens t
  join credentials k on k.user_id = t.user_id
  join users u on u.id = k.user_id
  where t.hash = $1
  and t.purpose = 'RESET_PASSWORD'
  and t.expires_at > now()
  and t.email = k.email

-- worker (bytea)
-- gives uuid, uuid, boolean, bytea, bytea, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer
select s.id, s.user_id, u.is_anonymous, s.parent_hash, s.current_hash, s.created_at, s.rotated_at, s.revoked_at,
    k.device_generation
  from sessions s
  join users u on u.id = s.user_id
  left join credentials k on k.user_id = s.user_id
  where s.family = $1 for update of s

-- worker (bytea, bytea, uuid, text)
-- gives boolean
with token as (delete
  from one_time_tokens
  where hash = $1
  and purpose = 'CONFIRM_EMAIL'
  and expires_at > now()
  returning user_id, email), confirmed as (update credentials k
  set email = t.email, email_verified_at = now(), pending_email = case
  when k.pending_email <> t.email then k.pending_email end, updated_at = now()
  from token t
  join credentials o on o.user_id = t.user_id
  where k.user_id = o.user_id
  and t.email in (o.email, o.pending_email)
  returning k.user_id, k.email, o.email as former), changed as (select *
  from confirmed
  where former <> email), dead as (delete
  from one_time_tokens
  where user_id = (select user_id
  from changed)
  and hash <> $2), mailed as (insert into mails (id, kind, recipient, user_id, detail) select $3, $4, m.*
  from (select former, user_id, email
  from changed) as m (recipient, user_id, detail)) select true
  where case
  when exists (select
  from confirmed) then true
  else refuse('USER_ERRORS', 'EXPIRED token') end

-- worker (bytea, bytea, uuid, uuid)
-- gives nothing
update sessions
  set family = $1, current_hash = $2, parent_hash = null, rotated_at = now(), last_used_at = now()
  where id = $3
  and user_id = $4

-- worker (bytea, integer)
-- gives double precision
select begin_sign_in($1, $2)

-- worker (text, double precision)
-- gives uuid[]
with gone as (insert into deleted_accounts (user_id) select u.id
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id()
  and k.password_hash is not distinct
  from $1
  and (u.is_anonymous or k.user_id is not null)
  on conflict do nothing
  returning user_id), ended as (update sessions s
  set revoked_at = now()
  where s.revoked_at is null
  and s.user_id = (select user_id
  from gone)
  returning s.id), refused as (insert into revoked_sessions (session_id, expires_at) select id,
    now() + make_interval(secs => $2)
  from ended
  on conflict do nothing), silent as (delete
  from push_devices
  where user_id = (select user_id
  from gone)
  and session_id is null), nameless as (update users
  set username = null
  where id = (select user_id
  from gone)), closed as (delete
  from credentials
  where user_id = (select user_id
  from gone)), dead as (delete
  from one_time_tokens
  where user_id = (select user_id
  from gone)) select coalesce((select array_agg(id)
  from ended), '{}')
  where case
  when exists (select
  from gone) then true
  else refuse('USER_ERRORS', 'WRONG_CREDENTIALS password') end

-- worker (text, text)
-- gives uuid, text, integer
select k.user_id, k.password_hash, k.device_generation
  from credentials k
  where k.user_id in (select user_id
  from credentials
  where email = $1 union all select id
  from users
  where username = $2)

-- worker (text, text, double precision, double precision)
-- gives double precision, double precision
select remaining, wait
  from take_rate($1, $2, $3, $4)

-- worker (text, text, text, text, uuid)
-- gives nothing
update users
  set is_anonymous = false, username = $1, display_name = coalesce($2, $3, display_name), name_skeleton = coalesce($4,
    name_skeleton)
  where id = $5

-- worker (text, text, text, text[])
-- gives boolean, boolean, boolean
select username_is_taken($1, null), imitates_somebody($2, $3, null), exists (select
  from credentials
  where email = any($4))

-- worker (text, text, uuid, double precision, uuid, text)
-- gives uuid[]
with changed as (update credentials
  set password_hash = $1, device_generation = device_generation + 1, pending_email = null, updated_at = now()
  where user_id = viewer_id()
  and password_hash = $2
  returning user_id, email), ended as (update sessions s
  set revoked_at = now()
  where s.revoked_at is null
  and s.user_id = (select user_id
  from changed)
  and s.id <> $3
  returning s.id), refused as (insert into revoked_sessions (session_id, expires_at) select id,
    now() + make_interval(secs => $4)
  from ended
  on conflict do nothing), silent as (delete
  from push_devices
  where user_id = (select user_id
  from changed)
  and session_id is null), dead as (delete
  from one_time_tokens
  where user_id = (select user_id
  from changed)), unconfirmed as (delete
  from mails
  where user_id = (select user_id
  from changed)
  and kind = 'CONFIRM_EMAIL'), unsent as (delete
  from mails
  where user_id is null
  and recipient = (select email
  from changed)
  and kind = 'RESET_PASSWORD'), mailed as (insert into mails (id, kind, recipient, user_id, detail) select $5, $6, m.*
  from (select email, user_id, null
  from changed) as m (recipient, user_id, detail)) select coalesce((select array_agg(id)
  from ended), '{}')
  where case
  when exists (select
  from changed) then true
  else refuse('USER_ERRORS', 'WRONG_CREDENTIALS currentPassword') end

-- worker (text[], text, text, text[], uuid, text, uuid, text)
-- gives boolean
with changed as (update credentials k
  set updated_at = now(), pending_email = case
  when k.email <> all($1) then $2 end
  where k.user_id = viewer_id()
  and k.password_hash = $3
  and refuse_user_errors(array[case
  when exists (select
  from credentials o
  where o.email = any($4)
  and o.user_id <> viewer_id()) then 'TAKEN newEmail' end])
  returning k.user_id, k.email, k.pending_email), dead as (delete
  from one_time_tokens
  where user_id = (select user_id
  from changed)
  and purpose = 'CONFIRM_EMAIL'), asked as (insert into mails (id, kind, recipient, user_id, detail) select $5, $6, m.*
  from (select pending_email, user_id, null
  from changed
  where pending_email is not null) as m (recipient, user_id, detail)), mailed as (insert into mails (id, kind,
    recipient, user_id, detail) select $7, $8, m.*
  from (select email, user_id, pending_email
  from changed
  where pending_email is not null) as m (recipient, user_id, detail)) select true
  where case
  when exists (select
  from changed) then true
  else refuse('USER_ERRORS', 'WRONG_CREDENTIALS password') end

-- worker (uuid)
-- gives boolean
select is_anonymous
  from users
  where id = $1

-- worker (uuid)
-- gives boolean
select refuse_suspended($1)

-- worker (uuid)
-- gives nothing
select
  from users
  where id = $1
  and (select viewer_is_moderator()) for update

-- worker (uuid)
-- gives uuid, text, integer, text, text
select k.user_id, k.password_hash, k.device_generation, k.email, u.username
  from credentials k
  join users u on u.id = k.user_id
  where k.user_id = $1

-- worker (uuid, double precision, uuid)
-- gives uuid[]
with ended as (update sessions s
  set revoked_at = now()
  where s.revoked_at is null
  and s.id = $1
  and s.user_id = viewer_id()
  returning s.id), refused as (insert into revoked_sessions (session_id, expires_at) select id,
    now() + make_interval(secs => $2)
  from ended
  on conflict do nothing), strange as (update credentials
  set device_generation = device_generation + 1
  where user_id = viewer_id()) select array[s.id]
  from (select) as one
  left join sessions s on s.id = $3
  and s.user_id = viewer_id()
  where s.id is not null or refuse('NOT_FOUND')

-- worker (uuid, text)
-- gives boolean
with account as (select k.user_id, coalesce(k.pending_email, case
  when k.email_verified_at is null then k.email end) as email
  from credentials k
  where k.user_id = viewer_id()), asked as (insert into mails (id, kind, recipient, user_id, detail) select $1, $2, m.*
  from (select email, user_id, null
  from account
  where email is not null) as m (recipient, user_id, detail)) select true
  where case
  when exists (select
  from account) then true
  else refuse('FORBIDDEN', 'SIGN_UP_REQUIRED') end

-- worker (uuid, text)
-- gives nothing
insert into users (id, display_name, is_anonymous)
  values ($1, $2, true)

-- worker (uuid, text, text)
-- gives bytea, boolean, uuid, uuid, uuid[], boolean
select input_hash, created_at < now() - interval '24 hours', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3

-- worker (uuid, text, text)
-- gives nothing
insert into credentials (user_id, email, password_hash)
  values ($1, $2, $3)

-- worker (uuid, text, text, bytea, uuid)
-- gives nothing
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5))

-- worker (uuid, text, text, text)
-- gives nothing
insert into mails (id, kind, recipient, user_id)
  values ($1, $2, coalesce((select email
  from credentials
  where email = $3), $4), null)

-- worker (uuid, text, text, text)
-- gives nothing
insert into users (id, username, display_name, name_skeleton)
  values ($1, $2, $3, $4)

-- worker (uuid, text, text, uuid)
-- gives nothing
insert into mails (id, kind, recipient, user_id)
  values ($1, $2, $3, $4)

-- worker (uuid, timestamp with time zone, text, uuid, text, timestamp with time zone, double precision)
-- gives uuid[]
with suspended as (insert into suspensions (user_id, until, reason) select $1, $2, $3
  where require_moderator_of($4)
  on conflict (user_id) do update
  set until = excluded.until, reason = excluded.reason, created_at = excluded.created_at
  returning user_id), logged as (insert into moderation_log (moderator_id, action, subject_type, subject_id, author_id,
    reason, until) select viewer_id(), 'SUSPENDED', 'user', user_id, user_id, $5, $6
  from suspended), ended as (update sessions s
  set revoked_at = now()
  where s.revoked_at is null
  and s.user_id = (select user_id
  from suspended)
  returning s.id), refused as (insert into revoked_sessions (session_id, expires_at) select id,
    now() + make_interval(secs => $7)
  from ended
  on conflict do nothing), silent as (delete
  from push_devices
  where user_id = (select user_id
  from suspended)
  and session_id is null) select coalesce((select array_agg(id)
  from ended), '{}')

-- worker (uuid, uuid, text, text, bytea, bytea)
-- gives nothing
insert into sessions (id, user_id, user_agent, ip_address, family, current_hash) select $1, $2, $3, $4::text::inet, $5,
    $6

-- worker (uuid, uuid, text, text, bytea, bytea, uuid, text)
-- gives nothing
insert into sessions (id, user_id, user_agent, ip_address, family, current_hash) select $1, $2, $3, $4::text::inet, $5,
    $6
  from (select
  from credentials
  where user_id = $7
  and password_hash = $8 for share) as account

-- worker (uuid, uuid, uuid)
-- gives nothing
with lifted as (delete
  from suspensions
  where user_id = $1
  and require_moderator_of($2)
  returning *), logged as (insert into moderation_log (moderator_id, action, subject_type, subject_id, author_id,
    reason, until) select viewer_id(), 'UNSUSPENDED', 'user', user_id, user_id, reason, until
  from lifted
  where until > now()) select
  where require_moderator_of($3)

-- worker (uuid[])
-- gives uuid, text, text, boolean, text, uuid, timestamp with time zone
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1)

-- write
-- gives boolean
select refuse('NOT_FOUND')

-- write
-- gives uuid, text, text, boolean, text, uuid, timestamp with time zone, text, text, boolean, text
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id()

-- write (text, text)
-- gives uuid, text, timestamp with time zone
select d.id, d.transport, d.created_at
  from push_devices d
  where d.address = $1
  and d.topic = $2
  and d.user_id = viewer_id()

-- write (text, text, boolean, text, boolean, text, boolean, uuid, uuid, uuid)
-- gives nothing
update users u
  set display_name = coalesce($1, u.display_name), name_skeleton = coalesce($2, u.name_skeleton), username = case
  when $3 then $4
  else u.username end, bio = case
  when $5 then $6
  else u.bio end, avatar_id = case
  when $7 then $8
  else u.avatar_id end
  where u.id = viewer_id()
  and case
  when u.is_anonymous then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when $9::uuid is not null
  and not exists (select
  from images i
  where i.id = $10
  and i.owner_id = viewer_id()) then refuse('NOT_FOUND')
  else refuse_user_errors('{}') end

-- write (text, text, boolean, text, boolean, text, boolean, uuid, uuid, uuid, text, text, text)
-- gives nothing
update users u
  set display_name = coalesce($1, u.display_name), name_skeleton = coalesce($2, u.name_skeleton), username = case
  when $3 then $4
  else u.username end, bio = case
  when $5 then $6
  else u.bio end, avatar_id = case
  when $7 then $8
  else u.avatar_id end
  where u.id = viewer_id()
  and case
  when u.is_anonymous then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when $9::uuid is not null
  and not exists (select
  from images i
  where i.id = $10
  and i.owner_id = viewer_id()) then refuse('NOT_FOUND')
  else refuse_user_errors(array[case
  when username_is_taken($11, viewer_id()) then 'TAKEN username' end, case
  when imitates_somebody($12, $13, viewer_id()) then 'TAKEN displayName' end]) end

-- write (text, text, boolean, text, boolean, uuid, uuid, uuid, uuid)
-- gives nothing
update thoughts t
  set category = coalesce($1, t.category), text = coalesce($2, t.text), title = case
  when $3 then $4
  else t.title end, image_id = case
  when $5 then $6
  else t.image_id end, updated_at = date_trunc('milliseconds', now())
  where t.id = $7
  and t.author_id = viewer_id()
  and ($8::uuid is null or exists (select
  from images i
  where i.id = $9
  and i.owner_id = viewer_id()) or refuse('NOT_FOUND'))

-- write (text, text, text, uuid, text, boolean, uuid, uuid, uuid)
-- gives nothing
update thoughts t
  set category = $1, title = $2, text = $3, image_id = $4, status = $5, published_at = case
  when $6 then coalesce(t.published_at, date_trunc('milliseconds', now())) end, updated_at = date_trunc('milliseconds',
    now())
  where t.id = $7
  and t.author_id = viewer_id()
  and (($8::uuid is null or exists (select
  from images i
  where i.id = $9
  and i.owner_id = viewer_id())) or refuse('NOT_FOUND'))

-- write (text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, uuid, uuid, uuid)
-- gives nothing
update events e
  set name = $1, description = $2, location = $3, image_id = $4, starts_at = $5, ends_at = $6, time_zone = $7,
    updated_at = date_trunc('milliseconds', now())
  where e.id = $8
  and e.author_id = viewer_id()
  and (($9::uuid is null or exists (select
  from images i
  where i.id = $10
  and i.owner_id = viewer_id())) or refuse('NOT_FOUND'))

-- write (text, text, timestamp with time zone, timestamp with time zone, boolean, text, boolean, text, boolean, uuid, uuid, uuid, uuid, boolean, timestamp with time zone, timestamp with time zone, text)
-- gives nothing
update events e
  set name = coalesce($1, e.name), description = coalesce($2, e.description), starts_at = coalesce($3, e.starts_at),
    ends_at = coalesce($4, e.ends_at), location = case
  when $5 then $6
  else e.location end, time_zone = case
  when $7 then $8
  else e.time_zone end, image_id = case
  when $9 then $10
  else e.image_id end, updated_at = date_trunc('milliseconds', now())
  where e.id = $11
  and e.author_id = viewer_id()
  and case
  when $12::uuid is not null
  and not exists (select
  from images i
  where i.id = $13
  and i.owner_id = viewer_id()) then refuse('NOT_FOUND')
  else refuse_user_errors(array[case
  when $14
  and coalesce($15, e.ends_at) <= coalesce($16, e.starts_at) then 'ENDS_BEFORE_START endsAt' end, case
  when not time_zone_exists($17) then 'INVALID timeZone' end]) end

-- write (text, uuid)
-- gives nothing
update comments c
  set text = $1, edited_at = date_trunc('milliseconds', now())
  where c.id = $2
  and c.author_id = viewer_id()
  and (c.author_id <> all(hidden_ids())
  and (c.thought_id is null or exists (select
  from thoughts t
  where t.id = c.thought_id
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())))
  and (c.event_id is null or exists (select
  from events e
  where e.id = c.event_id
  and (e.author_id <> all(hidden_ids())))))

-- write (text, uuid)
-- gives nothing
update messages m
  set text = $1, edited_at = date_trunc('milliseconds', now())
  from conversation_members p
  where m.id = $2
  and m.author_id = viewer_id()
  and p.conversation_id = m.conversation_id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true

-- write (text, uuid)
-- gives nothing
update messages m
  set text = $1, edited_at = date_trunc('milliseconds', now())
  from conversation_members p
  where m.id = $2
  and m.author_id = viewer_id()
  and p.conversation_id = m.conversation_id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  and case
  when m.author_id <> viewer_id() or m.image_id is not null then true
  else refuse('USER_ERRORS', 'REQUIRED text') end

-- write (text, uuid, uuid)
-- gives nothing
update comments c
  set text = $1, edited_at = date_trunc('milliseconds', now())
  where c.id = $2
  and c.author_id = viewer_id()
  and (c.author_id <> all(hidden_ids())
  and (c.thought_id is null or exists (select
  from thoughts t
  where t.id = c.thought_id
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())))
  and (c.event_id is null or exists (select
  from events e
  where e.id = c.event_id
  and (e.author_id <> all(hidden_ids())))))
  and case
  when c.thought_id = $3 then true
  else refuse('USER_ERRORS', 'CONFLICT subjectId') end

-- write (text, uuid, uuid, uuid)
-- gives nothing
update messages m
  set text = $1, edited_at = date_trunc('milliseconds', now())
  from conversation_members p
  where m.id = $2
  and m.author_id = viewer_id()
  and p.conversation_id = m.conversation_id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  and refuse_user_errors(array[ case
  when m.conversation_id <> $3 then 'CONFLICT conversationId' end, case
  when m.image_id is distinct
  from $4 then 'CONFLICT imageId' end])

-- write (timestamp with time zone)
-- gives nothing
update notifications n
  set read_at = date_trunc('milliseconds', now())
  where n.user_id = viewer_id()
  and n.read_at is null
  and n.created_at <= coalesce($1, 'infinity')

-- write (uuid)
-- gives boolean
select leave_conversation($1) or refuse('NOT_FOUND')

-- write (uuid)
-- gives nothing
delete
  from event_rsvps
  where event_id = $1
  and user_id = viewer_id()
  and lock_event(event_id)

-- write (uuid)
-- gives nothing
delete
  from thought_likes
  where thought_id = $1
  and user_id = viewer_id()
  and lock_thought(thought_id)

-- write (uuid)
-- gives nothing
delete
  from thought_ratings
  where thought_id = $1
  and user_id = viewer_id()
  and lock_thought(thought_id)

-- write (uuid)
-- gives nothing
delete
  from thought_saves
  where thought_id = $1
  and user_id = viewer_id()
  and lock_thought(thought_id)

-- write (uuid)
-- gives nothing
update events
  set cancelled_at = date_trunc('milliseconds', now()), updated_at = date_trunc('milliseconds', now())
  where id = $1
  and author_id = viewer_id()
  and cancelled_at is null

-- write (uuid)
-- gives nothing
update thoughts
  set status = 'DRAFT', published_at = null
  where id = $1
  and author_id = viewer_id()
  and status = 'PUBLISHED'

-- write (uuid)
-- gives nothing
update thoughts
  set status = 'PUBLISHED', published_at = date_trunc('milliseconds', now())
  where id = $1
  and author_id = viewer_id()
  and status = 'DRAFT'

-- write (uuid)
-- gives nothing
with deleted as (delete
  from push_devices
  where id = $1
  and user_id = viewer_id()
  returning id) select
  where exists (select
  from deleted) or refuse('NOT_FOUND')

-- write (uuid)
-- gives uuid
select $1::uuid

-- write (uuid)
-- gives uuid, text, text, boolean, text, uuid, timestamp with time zone
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from person_to_block($1) u

-- write (uuid)
-- gives uuid, text, uuid, text, text, text, timestamp with time zone, timestamp with time zone, uuid, uuid
select r.id, r.subject_type, r.subject_id, r.reason, r.note, r.status, r.created_at, r.resolved_at, case
  when (select viewer_is_moderator()) then r.reporter_id end, case
  when (select viewer_is_moderator()) then r.resolved_by end
  from reports r
  where r.reporter_id = viewer_id()
  and r.subject_id = $1
  and r.status = 'OPEN'

-- write (uuid)
-- gives uuid, timestamp with time zone, timestamp with time zone
select c.id, c.created_at, p.last_message_at
  from conversations c
  join conversation_members p on p.conversation_id = c.id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  where c.people_key = $1

-- write (uuid)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  where case
  when t.id is null then refuse('NOT_FOUND')
  when t.author_id <> viewer_id() then refuse('FORBIDDEN')
  else true end

-- write (uuid)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  where t.id is not null or refuse('NOT_FOUND')

-- write (uuid)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and t.author_id = viewer_id()
  where t.id is not null or refuse('USER_ERRORS', 'TAKEN id')

-- write (uuid)
-- gives uuid, uuid, text, text, text, uuid, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, integer, integer, integer, text
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = $1

-- write (uuid)
-- gives uuid, uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, text
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select) as one
  left join events e on e.id = $1
  and (e.author_id <> all(hidden_ids()))
  where case
  when e.id is null then refuse('NOT_FOUND')
  when e.author_id <> viewer_id() then refuse('FORBIDDEN')
  else true end

-- write (uuid)
-- gives uuid, uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, text
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select) as one
  left join events e on e.id = $1
  and (e.author_id <> all(hidden_ids()))
  where e.id is not null or refuse('NOT_FOUND')

-- write (uuid)
-- gives uuid, uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, text
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select) as one
  left join events e on e.id = $1
  and e.author_id = viewer_id()
  where e.id is not null or refuse('USER_ERRORS', 'TAKEN id')

-- write (uuid)
-- gives uuid, uuid, uuid, text, uuid, bigint, timestamp with time zone, timestamp with time zone
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at
  from (select) as one
  left join (messages m
  join conversation_members p on p.conversation_id = m.conversation_id) on m.id = $1
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  where case
  when m.id is null then refuse('NOT_FOUND')
  when m.author_id is distinct
  from viewer_id() then refuse('FORBIDDEN')
  else true end

-- write (uuid)
-- gives uuid, uuid, uuid, text, uuid, bigint, timestamp with time zone, timestamp with time zone
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at
  from (select) as one
  left join messages m on m.id = $1
  and m.author_id = viewer_id()
  where m.id is not null or refuse('USER_ERRORS', 'TAKEN id')

-- write (uuid)
-- gives uuid, uuid, uuid, uuid, text, timestamp with time zone, timestamp with time zone
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at
  from (select) as one
  left join comments c on c.id = $1
  and (c.author_id <> all(hidden_ids())
  and (c.thought_id is null or exists (select
  from thoughts t
  where t.id = c.thought_id
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())))
  and (c.event_id is null or exists (select
  from events e
  where e.id = c.event_id
  and (e.author_id <> all(hidden_ids())))))
  where case
  when c.id is null then refuse('NOT_FOUND')
  when c.author_id <> viewer_id() then refuse('FORBIDDEN')
  else true end

-- write (uuid)
-- gives uuid, uuid, uuid, uuid, text, timestamp with time zone, timestamp with time zone, uuid, text, text, boolean, text, uuid, timestamp with time zone
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at, u.id, u.username, u.display_name,
    u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from (select) as one
  left join (comments c
  join users u on u.id = c.author_id) on c.id = $1
  and c.author_id = viewer_id()
  where c.id is not null or refuse('USER_ERRORS', 'TAKEN id')

-- write (uuid, boolean)
-- gives boolean
select resolve_report($1, $2)

-- write (uuid, bytea, text, integer, integer, bigint, text)
-- gives boolean
select store_image($1, $2, $3, $4, $5, $6, $7)
  where true

-- write (uuid, bytea, text, integer, integer, bigint, text, uuid)
-- gives boolean
select store_image($1, $2, $3, $4, $5, $6, $7)
  where exists (select
  from events e
  where e.id = $8
  and e.author_id = viewer_id())

-- write (uuid, bytea, text, integer, integer, bigint, text, uuid)
-- gives boolean
select store_image($1, $2, $3, $4, $5, $6, $7)
  where exists (select
  from thoughts
  where id = $8
  and author_id = viewer_id())

-- write (uuid, bytea, text, integer, integer, bigint, text, uuid)
-- gives boolean
select store_image($1, $2, $3, $4, $5, $6, $7)
  where not exists (select
  from events
  where id = $8)

-- write (uuid, bytea, text, integer, integer, bigint, text, uuid)
-- gives boolean
select store_image($1, $2, $3, $4, $5, $6, $7)
  where not exists (select
  from thoughts
  where id = $8)

-- write (uuid, integer, uuid, uuid)
-- gives nothing
insert into thought_ratings as r (thought_id, user_id, stars) select $1, viewer_id(), $2
  where case
  when not exists (select
  from thoughts t
  where t.id = $3
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())) then refuse('NOT_FOUND')
  when lock_viewer() then lock_thought($4) end
  on conflict (thought_id, user_id) do update
  set stars = excluded.stars
  where r.stars <> excluded.stars

-- write (uuid, text, bytea, bytea, uuid)
-- gives uuid
select register_push_device($1, 'WEB_PUSH', $2, '', false, $3, $4, $5)

-- write (uuid, text, text)
-- gives bytea, boolean, uuid, uuid, uuid[], boolean
select input_hash, created_at < now() - interval '24 hours', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3

-- write (uuid, text, text)
-- gives nothing
delete
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3
  and created_at < now() - interval '24 hours'

-- write (uuid, text, text, boolean, uuid)
-- gives uuid
select register_push_device($1, 'APNS', $2, $3, $4, null, null, $5)

-- write (uuid, text, text, bytea, text, text, uuid)
-- gives nothing
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', coalesce((select id
  from (select d.id, d.transport, d.created_at
  from push_devices d
  where d.address = $5
  and d.topic = $6
  and d.user_id = viewer_id()) as known), $7)))

-- write (uuid, text, text, bytea, uuid)
-- gives nothing
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5) || jsonb_build_object('created', true))

-- write (uuid, text, text, bytea, uuid)
-- gives nothing
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5))

-- write (uuid, text, text, bytea, uuid, uuid)
-- gives nothing
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5, 'subject', (select coalesce(thought_id, event_id)
  from comments
  where id = $6)))

-- write (uuid, text, text, bytea, uuid, uuid)
-- gives nothing
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5, 'subject', (select conversation_id
  from messages
  where id = $6)))

-- write (uuid, text, text, bytea, uuid, uuid)
-- gives nothing
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', coalesce((select r.id
  from reports r
  where r.reporter_id = viewer_id()
  and r.subject_id = $5
  and r.status = 'OPEN'), $6)))

-- write (uuid, text, text, bytea, uuid[])
-- gives nothing
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', people_key($5)))

-- write (uuid, text, text, text, uuid, text, boolean, uuid, uuid)
-- gives nothing
insert into thoughts (id, author_id, category, title, text, image_id, status, published_at) select $1, viewer_id(), $2,
    $3, $4, $5, $6, case
  when $7 then date_trunc('milliseconds', now()) end
  where case
  when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when not ($8::uuid is null or exists (select
  from images i
  where i.id = $9
  and i.owner_id = viewer_id()))
  and true then refuse('NOT_FOUND')
  else true end

-- write (uuid, text, text, text, uuid, text, boolean, uuid, uuid, uuid)
-- gives nothing
insert into thoughts (id, author_id, category, title, text, image_id, status, published_at) select $1, viewer_id(), $2,
    $3, $4, $5, $6, case
  when $7 then date_trunc('milliseconds', now()) end
  where case
  when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when not ($8::uuid is null or exists (select
  from images i
  where i.id = $9
  and i.owner_id = viewer_id()))
  and not exists (select
  from thoughts
  where id = $10) then refuse('NOT_FOUND')
  else true end

-- write (uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, uuid, uuid, text)
-- gives nothing
insert into events (id, author_id, name, description, location, image_id, starts_at, ends_at, time_zone) select $1,
    viewer_id(), $2, $3, $4, $5, $6, $7, $8
  where case
  when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when not ($9::uuid is null or exists (select
  from images i
  where i.id = $10
  and i.owner_id = viewer_id()))
  and true then refuse('NOT_FOUND')
  else refuse_user_errors(array[case
  when not time_zone_exists($11) then 'INVALID timeZone' end]) end

-- write (uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, uuid, uuid, uuid, text)
-- gives nothing
insert into events (id, author_id, name, description, location, image_id, starts_at, ends_at, time_zone) select $1,
    viewer_id(), $2, $3, $4, $5, $6, $7, $8
  where case
  when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when not ($9::uuid is null or exists (select
  from images i
  where i.id = $10
  and i.owner_id = viewer_id()))
  and not exists (select
  from events
  where id = $11) then refuse('NOT_FOUND')
  else refuse_user_errors(array[case
  when not time_zone_exists($12) then 'INVALID timeZone' end]) end

-- write (uuid, text, uuid, text, text, uuid)
-- gives nothing
insert into reports (id, reporter_id, subject_type, subject_id, reason, note) select $1, viewer_id(), $2, $3, $4, $5
  where coalesce((select owner <> viewer_id() or refuse('USER_ERRORS', 'NOT_ALLOWED subjectId')
  from (select c.author_id
  from comments c
  where c.id = $6
  and (c.author_id <> all(hidden_ids())
  and (c.thought_id is null or exists (select
  from thoughts t
  where t.id = c.thought_id
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())))
  and (c.event_id is null or exists (select
  from events e
  where e.id = c.event_id
  and (e.author_id <> all(hidden_ids())))))) as subjects (owner)), refuse('NOT_FOUND'))
  on conflict (reporter_id, subject_id)
  where status = 'OPEN' do nothing

-- write (uuid, text, uuid, text, text, uuid)
-- gives nothing
insert into reports (id, reporter_id, subject_type, subject_id, reason, note) select $1, viewer_id(), $2, $3, $4, $5
  where coalesce((select owner <> viewer_id() or refuse('USER_ERRORS', 'NOT_ALLOWED subjectId')
  from (select e.author_id
  from events e
  where e.id = $6
  and (e.author_id <> all(hidden_ids()))) as subjects (owner)), refuse('NOT_FOUND'))
  on conflict (reporter_id, subject_id)
  where status = 'OPEN' do nothing

-- write (uuid, text, uuid, text, text, uuid)
-- gives nothing
insert into reports (id, reporter_id, subject_type, subject_id, reason, note) select $1, viewer_id(), $2, $3, $4, $5
  where coalesce((select owner <> viewer_id() or refuse('USER_ERRORS', 'NOT_ALLOWED subjectId')
  from (select t.author_id
  from thoughts t
  where t.id = $6
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())) as subjects (owner)), refuse('NOT_FOUND'))
  on conflict (reporter_id, subject_id)
  where status = 'OPEN' do nothing

-- write (uuid, text, uuid, text, text, uuid)
-- gives nothing
insert into reports (id, reporter_id, subject_type, subject_id, reason, note) select $1, viewer_id(), $2, $3, $4, $5
  where coalesce((select owner <> viewer_id() or refuse('USER_ERRORS', 'NOT_ALLOWED subjectId')
  from (select u.id
  from users u
  where u.id = $6
  and u.id <> all(hidden_ids())) as subjects (owner)), refuse('NOT_FOUND'))
  on conflict (reporter_id, subject_id)
  where status = 'OPEN' do nothing

-- write (uuid, text, uuid, uuid)
-- gives nothing
insert into event_rsvps as r (event_id, user_id, status) select $1, viewer_id(), $2
  where coalesce((select refuse_user_errors(array[ case
  when e.ends_at <= now() then 'IN_THE_PAST eventId' end, case
  when e.cancelled_at is not null then 'NOT_ALLOWED eventId' end])
  from events e
  where e.id = $3
  and (e.author_id <> all(hidden_ids()))), refuse('NOT_FOUND'))
  and case
  when lock_viewer() then lock_event($4) end
  on conflict (event_id, user_id) do update
  set status = excluded.status
  where r.status <> excluded.status

-- write (uuid, uuid)
-- gives boolean
with target as (select
  from images i
  where i.id = $1
  and (image_is_public(i.id, i.owner_id) or exists (select
  from messages m
  join conversation_members p on p.conversation_id = m.conversation_id
  where m.image_id = i.id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true))), deleted as (delete
  from images i
  where i.id = $2
  and i.owner_id = viewer_id()
  returning i.id) select true
  where case
  when exists (select
  from deleted) then true
  when exists (select
  from target) then refuse('FORBIDDEN')
  else refuse('NOT_FOUND') end

-- write (uuid, uuid)
-- gives boolean
with target as (select e.id, e.author_id
  from events e
  where e.id = $1
  and (e.author_id <> all(hidden_ids()))), deleted as ( delete
  from events e
  where e.id = $2
  and (e.author_id <> all(hidden_ids()))
  and (e.author_id = viewer_id() or viewer_is_moderator())
  returning e.id) select true
  where case
  when exists (select
  from deleted) then true
  when (select author_id <> viewer_id()
  from target)
  and not viewer_is_moderator() then refuse('FORBIDDEN')
  else refuse('NOT_FOUND') end

-- write (uuid, uuid)
-- gives boolean
with target as (select t.id, t.author_id
  from thoughts t
  where t.id = $1
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())), deleted as ( delete
  from thoughts t
  where t.id = $2
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  and (t.author_id = viewer_id() or viewer_is_moderator())
  returning t.id) select true
  where case
  when exists (select
  from deleted) then true
  when (select author_id <> viewer_id()
  from target)
  and not viewer_is_moderator() then refuse('FORBIDDEN')
  else refuse('NOT_FOUND') end

-- write (uuid, uuid)
-- gives nothing
insert into thought_likes (thought_id, user_id) select $1, viewer_id()
  where exists (select
  from thoughts t
  where t.id = $2
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())) or refuse('NOT_FOUND')
  on conflict do nothing

-- write (uuid, uuid)
-- gives nothing
insert into thought_saves (thought_id, user_id) select $1, viewer_id()
  where exists (select
  from thoughts t
  where t.id = $2
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())) or refuse('NOT_FOUND')
  on conflict do nothing

-- write (uuid, uuid)
-- gives nothing
insert into thought_shares (thought_id, user_id) select $1, viewer_id()
  where coalesce((select t.status = 'PUBLISHED' or refuse('USER_ERRORS', 'NOT_ALLOWED thoughtId')
  from thoughts t
  where t.id = $2
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())), refuse('NOT_FOUND'))

-- write (uuid, uuid)
-- gives uuid
with target as (select m.author_id
  from messages m
  join conversation_members p on p.conversation_id = m.conversation_id
  where m.id = $1
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true), deleted as ( delete
  from messages m using conversation_members p
  where m.id = $2
  and m.author_id = viewer_id()
  and p.conversation_id = m.conversation_id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  returning m.conversation_id) select (select conversation_id
  from deleted)
  where case
  when exists (select
  from deleted) then true
  when exists (select
  from target
  where author_id is distinct
  from viewer_id()) then refuse('FORBIDDEN')
  else refuse('NOT_FOUND') end

-- write (uuid, uuid)
-- gives uuid, text, text, boolean, text, uuid, timestamp with time zone
with unblocked as (delete
  from blocks
  where blocker_id = viewer_id()
  and blocked_id = $1) select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from (select) as one
  left join person_to_block($2) u on true
  where u.id is not null or refuse('NOT_FOUND')

-- write (uuid, uuid)
-- gives uuid, timestamp with time zone, timestamp with time zone
select c.id, c.created_at, p.last_message_at
  from (select) as one
  left join (conversation_members p
  join conversations c on c.id = p.conversation_id
  join messages m on m.conversation_id = c.id) on c.id = $1
  and m.id = $2
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  where c.id is not null or refuse('NOT_FOUND')

-- write (uuid, uuid)
-- gives uuid, uuid
select (select id
  from thoughts
  where id = $1), (select id
  from events
  where id = $2)

-- write (uuid, uuid)
-- gives uuid, uuid
with target as (select c.id, c.author_id
  from comments c
  where c.id = $1
  and (c.author_id <> all(hidden_ids())
  and (c.thought_id is null or exists (select
  from thoughts t
  where t.id = c.thought_id
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())))
  and (c.event_id is null or exists (select
  from events e
  where e.id = c.event_id
  and (e.author_id <> all(hidden_ids())))))), deleted as ( delete
  from comments c
  where c.id = $2
  and (c.author_id <> all(hidden_ids())
  and (c.thought_id is null or exists (select
  from thoughts t
  where t.id = c.thought_id
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())))
  and (c.event_id is null or exists (select
  from events e
  where e.id = c.event_id
  and (e.author_id <> all(hidden_ids())))))
  and (c.author_id = viewer_id() or viewer_is_moderator())
  and lock_subject(c.thought_id, c.event_id)
  returning c.thought_id, c.event_id) select (select thought_id
  from deleted), (select event_id
  from deleted)
  where case
  when exists (select
  from deleted) then true
  when (select author_id <> viewer_id()
  from target)
  and not viewer_is_moderator() then refuse('FORBIDDEN')
  else refuse('NOT_FOUND') end

-- write (uuid, uuid, text, uuid, uuid, uuid, text)
-- gives uuid, uuid, uuid, uuid, text, timestamp with time zone, timestamp with time zone, uuid, text, text, boolean, text, uuid, timestamp with time zone
with c as (insert into comments (id, author_id, event_id, text) select $1, viewer_id(), $2, $3
  where case
  when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when not exists (select
  from events e
  where e.id = $4
  and (e.author_id <> all(hidden_ids()))) then refuse('NOT_FOUND')
  else true end) select $5, u.id, null::uuid, $6, $7, date_trunc('milliseconds', now()), null::timestamptz, u.id,
    u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = viewer_id()

-- write (uuid, uuid, text, uuid, uuid, uuid, text)
-- gives uuid, uuid, uuid, uuid, text, timestamp with time zone, timestamp with time zone, uuid, text, text, boolean, text, uuid, timestamp with time zone
with c as (insert into comments (id, author_id, thought_id, text) select $1, viewer_id(), $2, $3
  where case
  when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when not exists (select
  from thoughts t
  where t.id = $4
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())) then refuse('NOT_FOUND')
  else true end) select $5, u.id, $6, null::uuid, $7, date_trunc('milliseconds', now()), null::timestamptz, u.id,
    u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = viewer_id()

-- write (uuid, uuid, text, uuid, uuid, uuid, uuid)
-- gives nothing
insert into messages (id, conversation_id, author_id, text, image_id) select $1, $2, viewer_id(), $3, $4
  where case
  when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED')
  when not exists (select
  from conversation_members p
  where p.conversation_id = $5
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true) then refuse('NOT_FOUND')
  when $6::uuid is not null
  and not exists (select
  from images i
  where i.id = $7
  and i.owner_id = viewer_id()) then refuse('NOT_FOUND')
  else true end

-- write (uuid, uuid, uuid)
-- gives bigint, bigint, bigint
select (select count(*)
  from (select
  from users
  where id = viewer_id()
  and avatar_id = $1 for no key update) u), (select count(*)
  from (select
  from thoughts
  where image_id = $2
  and author_id = viewer_id()
  order by id for no key update) t), (select count(*)
  from (select
  from events
  where image_id = $3
  and author_id = viewer_id()
  order by id for no key update) e)

-- write (uuid, uuid, uuid)
-- gives nothing
insert into blocks (blocker_id, blocked_id) select viewer_id(), $1
  where case
  when $2 = viewer_id() then refuse('USER_ERRORS', 'NOT_ALLOWED userId')
  else exists (select
  from person_to_block($3)) or refuse('NOT_FOUND') end
  on conflict do nothing

-- write (uuid, uuid, uuid)
-- gives nothing
update conversation_members p
  set last_read_number = m.number, last_read_message_id = m.id
  from messages m
  where m.id = $1
  and m.conversation_id = $2
  and p.conversation_id = $3
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  and p.last_read_number < m.number

-- write (uuid, uuid[], text, text)
-- gives boolean
with started as materialized (select start_conversation($1, $2) as is_new), recorded as (update idempotency
  set outcome = outcome || jsonb_build_object('created', true)
  from started
  where is_new
  and account_id = viewer_id()
  and mutation = $3
  and client_mutation_id = $4) select is_new
  from started

-- write (uuid[])
-- gives nothing
update notifications n
  set read_at = date_trunc('milliseconds', now())
  where n.user_id = viewer_id()
  and n.read_at is null
  and n.id = any($1)

-- write (uuid[])
-- gives uuid, text, integer, integer, integer, boolean
select i.id, i.mime_type, i.width, i.height, i.byte_size, image_is_public(i.id, i.owner_id)
  from images i
  where i.id = any($1)
  and (image_is_public(i.id,
    i.owner_id) or (i.owner_id = any((select people_hidden_from_viewer())::uuid[])) is not true)

-- write (uuid[])
-- gives uuid, text, timestamp with time zone
select d.id, d.transport, d.created_at
  from push_devices d
  where d.user_id = viewer_id()
  and d.id = any($1)
  order by d.created_at desc, d.id desc

-- write (uuid[])
-- gives uuid, text, uuid, text, text, text, timestamp with time zone, timestamp with time zone, uuid, uuid
select r.id, r.subject_type, r.subject_id, r.reason, r.note, r.status, r.created_at, r.resolved_at, case
  when (select viewer_is_moderator()) then r.reporter_id end, case
  when (select viewer_is_moderator()) then r.resolved_by end
  from reports r
  where r.id = any($1)

-- write (uuid[])
-- gives uuid, timestamp with time zone, timestamp with time zone
select c.id, c.created_at, p.last_message_at
  from conversation_members p
  join conversations c on c.id = p.conversation_id
  where p.conversation_id = any($1)
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true

-- write (uuid[])
-- gives uuid, timestamp with time zone, timestamp with time zone
select c.id, c.created_at, p.last_message_at
  from conversations c
  join conversation_members p on p.conversation_id = c.id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  where c.people_key = people_key($1)

-- write (uuid[])
-- gives uuid, timestamp with time zone, timestamp with time zone, text, text
select s.id, s.created_at, s.last_used_at, s.user_agent, host(s.ip_address)
  from sessions s
  where s.user_id = viewer_id()
  and s.revoked_at is null
  and s.rotated_at > now() - interval '30 days'
  and s.created_at > now() - interval '180 days'
  and s.id = any($1)
  order by s.last_used_at desc, s.id desc

-- write (uuid[])
-- gives uuid, uuid, text, text, text, uuid, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, integer, integer, text
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from events e
  where e.id = any($1)

-- write (uuid[])
-- gives uuid, uuid, uuid, text, uuid, bigint, timestamp with time zone, timestamp with time zone
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at
  from messages m
  join conversation_members p on p.conversation_id = m.conversation_id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  where m.id = any($1)
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true

-- Notifications, zoe: 1 2 3 4 5

-- 1: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 2: read
select count(*)::integer
  from notifications n
  where n.read_at is null
  and n.user_id = viewer_id()
  and (n.actors = '{}' or not n.actors <@ (select people_hidden_from_viewer())::uuid[]);

-- 3: read
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
  limit $5;

-- 4: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- 5: read
select c.id, c.created_at, p.last_message_at
  from conversation_members p
  join conversations c on c.id = p.conversation_id
  where p.conversation_id = any($1)
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true;

-- Unread, ana: 1 6

-- 6: read
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
  limit $5;

-- FirstPage, ana: 1 3

-- SecondPage, ana: 1 3

-- Node, ben: 7

-- 7: read
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
  and (n.actors = '{}' or not n.actors <@ (select people_hidden_from_viewer())::uuid[]);

-- Comments, ben: 8 8

-- 8: write
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
  where u.id = viewer_id();

-- Another, mod: 8

-- Grouped, ana: 1 2 3 4

-- ChangeEvent, ben: 9

-- 9: write
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
  when not time_zone_exists($17) then 'INVALID timeZone' end]) end;
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
  else true end;

-- Changed, zoe: 1 2 3 10

-- 10: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from events e
  where e.id = any($1);

-- SubjectGone, ana: 7 11

-- 11: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = any($1);

-- ActorGone, ana: 7 4

-- Last, ana: 1 12

-- 12: read
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
  limit $5;

-- BeforeLast, ana: 1 12

-- Cancel, ben: 1

-- 1: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
update events
  set cancelled_at = date_trunc('milliseconds', now()), updated_at = date_trunc('milliseconds', now())
  where id = $1
  and author_id = viewer_id()
  and cancelled_at is null;
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

-- Twice, ben: 2

-- 2: write
update events
  set cancelled_at = date_trunc('milliseconds', now()), updated_at = date_trunc('milliseconds', now())
  where id = $1
  and author_id = viewer_id()
  and cancelled_at is null;
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

-- NotThere, ben: 2

-- Told, ben: 3 4 5

-- 3: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 4: read
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

-- 5: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from events e
  where e.id = any($1);

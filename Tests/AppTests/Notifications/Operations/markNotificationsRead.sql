-- Mark, ana: 1 2 3

-- 1: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
update notifications n
  set read_at = date_trunc('milliseconds', now())
  where n.user_id = viewer_id()
  and n.read_at is null
  and n.id = any($1);

-- 2: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 3: read
select count(*)::integer
  from notifications n
  where n.read_at is null
  and n.user_id = viewer_id()
  and (n.actors = '{}' or not n.actors <@ (select people_hidden_from_viewer())::uuid[]);

-- Replayed, ana: 1 4 2 3

-- 4: write
select input_hash, created_at < now() - interval '30 days', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- Left, ben: 2 3 5

-- 5: read
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

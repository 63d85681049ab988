-- Web, ana: 1

-- 1: write
select pg_advisory_xact_lock(hashtextextended($1, 0));
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', coalesce((select id
  from (select d.id, d.transport, d.created_at
  from push_devices d
  where d.address = $5
  and d.topic = $6
  and d.user_id = viewer_id()) as known), $7)));
select register_push_device($1, 'WEB_PUSH', $2, '', false, $3, $4, $5);
select d.id, d.transport, d.created_at
  from push_devices d
  where d.address = $1
  and d.topic = $2
  and d.user_id = viewer_id();

-- Replayed, ana: 1 2 3

-- 2: write
select input_hash, created_at < now() - interval '30 days', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- 3: write
select d.id, d.transport, d.created_at
  from push_devices d
  where d.user_id = viewer_id()
  and d.id = any($1)
  order by d.created_at desc, d.id desc;

-- Apple, ben: 4

-- 4: write
select pg_advisory_xact_lock(hashtextextended($1, 0));
select register_push_device($1, 'APNS', $2, $3, $4, null, null, $5);
select d.id, d.transport, d.created_at
  from push_devices d
  where d.address = $1
  and d.topic = $2
  and d.user_id = viewer_id();

-- Devices, ben: 5 6 7

-- 5: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 6: read
select d.id, d.transport, d.created_at
  from push_devices d
  where d.user_id = viewer_id()
  and d.id = any($1)
  order by d.created_at desc, d.id desc;

-- 7: read
select d.id, d.transport, d.created_at
  from push_devices d
  where d.user_id = viewer_id()
  order by d.created_at desc, d.id desc;

-- Unregister, ben: 8 5 7

-- 8: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
with deleted as (delete
  from push_devices
  where id = $1
  and user_id = viewer_id()
  returning id) select
  where exists (select
  from deleted) or refuse('NOT_FOUND');

-- SignIn, nobody: 1 2 3 4

-- 1: worker
select begin_sign_in($1, $2);

-- 2: worker
select k.user_id, k.password_hash, k.device_generation
  from credentials k
  where k.user_id in (select user_id
  from credentials
  where email = $1 union all select id
  from users
  where username = $2);

-- 3: worker
insert into sessions (id, user_id, user_agent, ip_address, family, current_hash) select $1, $2, $3, $4::text::inet, $5,
    $6
  from (select
  from credentials
  where user_id = $7
  and password_hash = $8 for share) as account;
delete
  from sign_in_attempts
  where login_hash = $1;

-- 4: write
select s.id, s.created_at, s.last_used_at, s.user_agent, host(s.ip_address)
  from sessions s
  where s.user_id = viewer_id()
  and s.revoked_at is null
  and s.rotated_at > now() - interval '30 days'
  and s.created_at > now() - interval '180 days'
  and s.id = any($1)
  order by s.last_used_at desc, s.id desc;

-- Anothers, ben: 5

-- 5: worker
select
  from credentials
  where user_id = viewer_id() for update;
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
  where s.id is not null or refuse('NOT_FOUND');

-- RevokeSession, ana: 6

-- 6: worker
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5, 'ids', jsonb_build_array($6)));
select
  from credentials
  where user_id = viewer_id() for update;
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
  where s.id is not null or refuse('NOT_FOUND');

-- Refresh, nobody: 7 8 9 10

-- 7: worker
begin;

-- 8: worker
select s.id, s.user_id, u.is_anonymous, s.parent_hash, s.current_hash, s.created_at, s.rotated_at, s.revoked_at,
    k.device_generation
  from sessions s
  join users u on u.id = s.user_id
  left join credentials k on k.user_id = s.user_id
  where s.family = $1 for update of s;

-- 9: worker
select refuse_suspended($1);

-- 10: worker
commit;

-- Again, ana: 6 11

-- 11: worker
select input_hash, created_at < now() - interval '24 hours', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- NoSession, ana: 5

-- SignInTwice, nobody: 1 2 3 4 1 2 3

-- RevokeOtherSessions, bearer: 12

-- 12: worker
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5, 'ids', (select coalesce(jsonb_agg(s.id), '[]')
  from sessions s
  where s.revoked_at is null
  and s.user_id = viewer_id()
  and s.id <> $6)));
select
  from credentials
  where user_id = viewer_id() for update;
with ended as (update sessions s
  set revoked_at = now()
  where s.revoked_at is null
  and s.user_id = viewer_id()
  and s.id <> $1
  returning s.id), refused as (insert into revoked_sessions (session_id, expires_at) select id,
    now() + make_interval(secs => $2)
  from ended
  on conflict do nothing), silent as (delete
  from push_devices
  where user_id = viewer_id()
  and session_id is null), strange as (update credentials
  set device_generation = device_generation + 1
  where user_id = viewer_id()) select coalesce((select array_agg(id)
  from ended), '{}');

-- RevokeOtherSessionsAgain, bearer: 12 11

-- TheCurrentOneIsLeft, bearer: 13 14

-- 13: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 14: read
select s.id, s.created_at, s.last_used_at, s.user_agent, host(s.ip_address)
  from sessions s
  where s.user_id = viewer_id()
  and s.revoked_at is null
  and s.rotated_at > now() - interval '30 days'
  and s.created_at > now() - interval '180 days'
  order by s.last_used_at desc, s.id desc;

-- TheCurrentOne, ben: 5

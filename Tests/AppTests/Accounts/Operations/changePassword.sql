-- NotAMember, zoe: 1 2

-- 1: worker
select k.user_id, k.password_hash, k.device_generation, k.email, u.username
  from credentials k
  join users u on u.id = k.user_id
  where k.user_id = $1;

-- 2: worker
select (not exists (select
  from users
  where id = $1) or exists (select
  from deleted_accounts
  where user_id = $2) or exists (select
  from account_merges
  where source_id = $3
  and (select is_anonymous
  from users
  where id = source_id)));

-- Wrong, ana: 1 3 1 3 4 1 1 3 4

-- 3: worker
select begin_sign_in($1, $2);

-- 4: worker
delete
  from sign_in_attempts
  where login_hash = $1;

-- AnotherSession, nobody: 3 5 6

-- 5: worker
select k.user_id, k.password_hash, k.device_generation
  from credentials k
  where k.user_id in (select user_id
  from credentials
  where email = $1 union all select id
  from users
  where username = $2);

-- 6: worker
insert into sessions (id, user_id, user_agent, ip_address, family, current_hash) select $1, $2, $3, $4::text::inet, $5,
    $6
  from (select
  from credentials
  where user_id = $7
  and password_hash = $8 for share) as account;
delete
  from sign_in_attempts
  where login_hash = $1;

-- ChangePassword, ana: 1 3 4 7 8

-- 7: worker
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
select
  from credentials
  where user_id = viewer_id() for update;
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
  when (not exists (select
  from users
  where id = viewer_id()) or exists (select
  from deleted_accounts
  where user_id = viewer_id()) or exists (select
  from account_merges
  where source_id = viewer_id()
  and (select is_anonymous
  from users
  where id = source_id))) then refuse('UNAUTHENTICATED')
  else refuse('USER_ERRORS', 'WRONG_CREDENTIALS currentPassword') end;
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 8: read
select s.id, s.created_at, s.last_used_at, s.user_agent, host(s.ip_address)
  from sessions s
  where s.user_id = viewer_id()
  and s.revoked_at is null
  and s.rotated_at > now() - interval '30 days'
  and s.created_at > now() - interval '180 days'
  order by s.last_used_at desc, s.id desc;

-- Refresh, nobody: 9 10 11 12

-- 9: worker
begin;

-- 10: worker
select s.id, s.user_id, u.is_anonymous, s.parent_hash, s.current_hash, s.created_at, s.rotated_at, s.revoked_at,
    k.device_generation
  from sessions s
  join users u on u.id = s.user_id
  left join credentials k on k.user_id = s.user_id
  where s.family = $1 for update of s;

-- 11: worker
select refuse_suspended($1);

-- 12: worker
commit;

-- Again, ana: 1 3 13 14 8

-- 13: worker
select input_hash, created_at < now() - interval '24 hours', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- 14: worker
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- SignIn, nobody: 3 5 3 5 6 15

-- 15: write
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- BackOff, ana: 1 3

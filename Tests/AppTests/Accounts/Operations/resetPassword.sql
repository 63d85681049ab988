-- RequestPasswordReset, ana: 1 2

-- 1: worker
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
insert into mails (id, kind, recipient, user_id)
  values ($1, $2, coalesce((select email
  from credentials
  where email = $3), $4), null);

-- 2: worker
insert into mails (id, kind, recipient, user_id)
  values ($1, $2, coalesce((select email
  from credentials
  where email = $3), $4), null);

-- NoToken, nobody: 3 3

-- 3: worker
select k.email, u.username
  from one_time_tokens t
  join credentials k on k.user_id = t.user_id
  join users u on u.id = k.user_id
  where t.hash = $1
  and t.purpose = 'RESET_PASSWORD'
  and t.expires_at > now()
  and t.email = k.email;

-- SignIn, nobody: 4 5 6

-- 4: worker
select begin_sign_in($1, $2);

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

-- Weak, nobody: 3

-- ResetPassword, nobody: 3 7

-- 7: worker
select
  from credentials
  where user_id = (select user_id
  from one_time_tokens
  where hash = $1) for update;
with changed as (update credentials k
  set password_hash = $1, device_generation = device_generation + 1, pending_email = null,
    email_verified_at = coalesce(k.email_verified_at, now()), updated_at = now()
  from one_time_tokens t
  where t.user_id = k.user_id
  and t.hash = $2
  and t.purpose = 'RESET_PASSWORD'
  and t.expires_at > now()
  and t.email = k.email
  returning k.user_id, k.email), ended as (update sessions s
  set revoked_at = now()
  where s.revoked_at is null
  and s.user_id = (select user_id
  from changed)
  returning s.id), refused as (insert into revoked_sessions (session_id, expires_at) select id,
    now() + make_interval(secs => $3)
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
  and kind = 'RESET_PASSWORD'), forgotten as (delete
  from sign_in_attempts
  where login_hash in (select sha256(convert_to(login, 'UTF8'))
  from changed
  join users u on u.id = changed.user_id
  cross join unnest(array[changed.email, u.username]) as login)), mailed as (insert into mails (id, kind, recipient,
    user_id, detail) select $4, $5, m.*
  from (select email, user_id, null
  from changed) as m (recipient, user_id, detail)) select coalesce((select array_agg(id)
  from ended), '{}')
  where case
  when exists (select
  from changed) then true
  else refuse('USER_ERRORS', 'EXPIRED token') end;

-- Used, nobody: 3

-- SignInAnew, nobody: 4 5 4 5 6 8 9

-- 8: write
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 9: read
select s.id, s.created_at, s.last_used_at, s.user_agent, host(s.ip_address)
  from sessions s
  where s.user_id = viewer_id()
  and s.revoked_at is null
  and s.rotated_at > now() - interval '30 days'
  and s.created_at > now() - interval '180 days'
  order by s.last_used_at desc, s.id desc;

-- OfAFormerAddress, nobody: 3

-- SignIn, nobody: 1 2 3

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

-- SignOut, bearer: 4

-- 4: worker
update sessions
  set revoked_at = now()
  where id = $1
  and revoked_at is null;
insert into revoked_sessions (session_id, expires_at)
  values ($1, now() + make_interval(secs => $2))
  on conflict do nothing;

-- RefreshTokenEnded, nobody: 5 6 7 8

-- 5: worker
begin;

-- 6: worker
select s.id, s.user_id, u.is_anonymous, s.parent_hash, s.current_hash, s.created_at, s.rotated_at, s.revoked_at,
    k.device_generation
  from sessions s
  join users u on u.id = s.user_id
  left join credentials k on k.user_id = s.user_id
  where s.family = $1 for update of s;

-- 7: worker
select refuse_suspended($1);

-- 8: worker
commit;

-- OtherSessionsStay, ana: 9 10

-- 9: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 10: read
select s.id, s.created_at, s.last_used_at, s.user_agent, host(s.ip_address)
  from sessions s
  where s.user_id = viewer_id()
  and s.revoked_at is null
  and s.rotated_at > now() - interval '30 days'
  and s.created_at > now() - interval '180 days'
  order by s.last_used_at desc, s.id desc;

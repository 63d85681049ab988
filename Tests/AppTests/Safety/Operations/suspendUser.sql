-- Suspend, mod: 1 2

-- 1: worker
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
select
  from users
  where id = $1
  and (select viewer_is_moderator()) for update;
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
  from ended), '{}');
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- 2: read
select s.user_id, s.until, s.reason, s.created_at
  from suspensions s
  where s.user_id = any($1)
  and s.until > now();

-- Replayed, mod: 1 3 4 2

-- 3: worker
select input_hash, created_at < now() - interval '24 hours', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- 4: worker
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- Wrong, mod: 5 5

-- 5: worker
select
  from users
  where id = $1
  and (select viewer_is_moderator()) for update;
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
  from ended), '{}');
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- Seen, mod: 6 2

-- 6: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.username = $1;

-- SignIn, nobody: 7 8 9

-- 7: worker
select begin_sign_in($1, $2);

-- 8: worker
select k.user_id, k.password_hash, k.device_generation
  from credentials k
  where k.user_id in (select user_id
  from credentials
  where email = $1 union all select id
  from users
  where username = $2);

-- 9: worker
insert into sessions (id, user_id, user_agent, ip_address, family, current_hash) select $1, $2, $3, $4::text::inet, $5,
    $6
  from (select
  from credentials
  where user_id = $7
  and password_hash = $8 for share) as account;
delete
  from sign_in_attempts
  where login_hash = $1;

-- Write, ana: 10

-- 10: write
insert into thought_likes (thought_id, user_id) select $1, viewer_id()
  where exists (select
  from thoughts t
  where t.id = $2
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())) or refuse('NOT_FOUND')
  on conflict do nothing;
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  where t.id is not null or refuse('NOT_FOUND');

-- Read, nobody: 11

-- 11: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = $1;

-- Lift, mod: 12 2

-- 12: worker
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
select
  from users
  where id = $1
  and (select viewer_is_moderator()) for update;
with lifted as (delete
  from suspensions
  where user_id = $1
  and require_moderator_of($2)
  returning *), logged as (insert into moderation_log (moderator_id, action, subject_type, subject_id, author_id,
    reason, until) select viewer_id(), 'UNSUSPENDED', 'user', user_id, user_id, reason, until
  from lifted
  where until > now()) select
  where require_moderator_of($3);
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- WriteAgain, ana: 10

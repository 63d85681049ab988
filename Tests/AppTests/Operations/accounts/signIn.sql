-- ByEmail, nobody: 1 2 3 4 5 6 7 8

-- 1: worker
select begin_sign_in($1, $2);

-- 2: worker
select k.user_id, k.password_hash
  from credentials k
  where k.user_id in (select user_id
  from credentials
  where email = $1 union all select id
  from users
  where username = $2);

-- 3: worker
insert into sessions (id, user_id, user_agent, ip_address, family, current_hash) select $1, $2, $3, $4::text::inet, $5, $6
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

-- 5: write
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email, k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 6: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at, t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total
  from (select *
  from thoughts t
  where t.author_id = $1
  and (t.created_at, t.id) > ($2, $3)
  and (t.created_at, t.id) < ($4, $5)
  order by t.created_at desc, t.id desc
  limit 101) t
  order by t.created_at desc, t.id desc
  limit $6;

-- 7: read
select s.id, s.created_at, s.last_used_at, s.user_agent, host(s.ip_address)
  from sessions s
  where s.user_id = viewer_id()
  and s.revoked_at is null
  and s.rotated_at > now() - interval '30 days'
  and s.created_at > now() - interval '180 days'
  order by s.last_used_at desc, s.id desc;

-- 8: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at, t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, parent.n
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
  order by parent.n, t.published_at desc, t.id desc;

-- Viewer, bearer: 9 7

-- 9: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email, k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- ByUsername, nobody: 1 2 3 5

-- Wrong, nobody: 1 2 1 2 1 2 1 1 2

-- NoSpacesTrimmedFromPasswords, nobody: 1 2

-- BackOff, nobody: 1

-- AfterBackOff, nobody: 1 2 3 5

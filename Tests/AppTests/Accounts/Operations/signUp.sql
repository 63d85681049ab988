-- SignUp, nobody: 1 2 3 4 5 6

-- 1: worker
select username_is_taken($1, null), imitates_somebody($2, $3, null), exists (select
  from credentials
  where email = any($4));

-- 2: worker
insert into users (id, username, display_name, name_skeleton)
  values ($1, $2, $3, $4);
insert into credentials (user_id, email, password_hash)
  values ($1, $2, $3);
insert into sessions (id, user_id, user_agent, ip_address, family, current_hash) select $1, $2, $3, $4::text::inet, $5,
    $6;
insert into mails (id, kind, recipient, user_id)
  values ($1, $2, $3, $4);

-- 3: write
select s.id, s.created_at, s.last_used_at, s.user_agent, host(s.ip_address)
  from sessions s
  where s.user_id = viewer_id()
  and s.revoked_at is null
  and s.rotated_at > now() - interval '30 days'
  and s.created_at > now() - interval '180 days'
  and s.id = any($1)
  order by s.last_used_at desc, s.id desc;

-- 4: write
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 5: read
select s.id, s.created_at, s.last_used_at, s.user_agent, host(s.ip_address)
  from sessions s
  where s.user_id = viewer_id()
  and s.revoked_at is null
  and s.rotated_at > now() - interval '30 days'
  and s.created_at > now() - interval '180 days'
  order by s.last_used_at desc, s.id desc;

-- 6: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select *
  from thoughts t
  where t.author_id = $1
  and (t.created_at, t.id) > ($2, $3)
  and (t.created_at, t.id) < ($4, $5)
  order by t.created_at desc, t.id desc
  limit 101) t
  order by t.created_at desc, t.id desc
  limit $6;

-- Viewer, bearer: 7 5

-- 7: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- AllErrors, nobody: 1

-- TakenInAnyCase, nobody: 1

-- TakenAndWrong, nobody: 1

-- Usernames, nobody: 1 1 1 1

-- Addresses, nobody: 1 1 1 1 1 1

-- Passwords, nobody: 1 1 1 1 1 1

-- NamesAreOptional, nobody: 1 2 4

-- UsernameIsTheName, nobody: 1 2 4

-- WithinAFullSession, ben: 1 8 2 4 5

-- 8: worker
select is_anonymous
  from users
  where id = $1
  and not (not exists (select
  from users
  where id = $2) or exists (select
  from deleted_accounts
  where user_id = $3) or exists (select
  from account_merges
  where source_id = $4
  and (select is_anonymous
  from users
  where id = source_id)));

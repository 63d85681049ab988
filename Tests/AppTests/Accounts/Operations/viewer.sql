-- Viewer, ana: 1

-- 1: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- Role, ben: 1

-- Sessions, ana: 1 2

-- 2: read
select s.id, s.created_at, s.last_used_at, s.user_agent, host(s.ip_address)
  from sessions s
  where s.user_id = viewer_id()
  and s.revoked_at is null
  and s.rotated_at > now() - interval '30 days'
  and s.created_at > now() - interval '180 days'
  order by s.last_used_at desc, s.id desc;

-- Thoughts, ana: 1 3 4 4 5

-- 3: read
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

-- 4: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select *
  from thoughts t
  where t.author_id = $1
  and t.status = $2
  and (t.created_at, t.id) > ($3, $4)
  and (t.created_at, t.id) < ($5, $6)
  order by t.created_at desc, t.id desc
  limit 101) t
  order by t.created_at desc, t.id desc
  limit $7;

-- 5: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select *
  from thoughts t
  where t.author_id = $1
  and (t.created_at, t.id) > ($2, $3)
  and (t.created_at, t.id) < ($4, $5)
  order by t.created_at asc, t.id asc
  limit 101) t
  order by t.created_at asc, t.id asc
  limit $6;

-- NextPage, ana: 1 3

-- Twice, ana: 1 1 3 2

-- PreviousPage, ana: 1 5
